import { compareObjects } from './compare-objects';
import type { JsonMap } from '../chart/json';

const deployment = (spec: JsonMap, name = 'weft-gateway'): JsonMap => ({
  kind: 'Deployment',
  metadata: { name },
  spec: { template: { metadata: {}, spec } },
});

describe('the comparison of manifests and chart', () => {
  it('finds a changed, a missing and an additional field, with its path', () => {
    const differences = compareObjects([deployment({ a: 1, b: 2 })], [deployment({ a: 3, c: 4 })]);
    expect(differences.map((one) => one.replace('Deployment/weft-gateway.spec.template.spec.', ''))).toEqual([
      'a: 1 in the manifests, 3 in the chart',
      'b: 2 in the manifests, absent in the chart',
      'c: absent in the manifests, 4 in the chart',
    ]);
  });

  it('finds objects that only one side has, and one that is there twice', () => {
    const [one, other] = [deployment({}, 'one'), deployment({}, 'other')];
    expect(compareObjects([one], [other, other])).toEqual([
      'Deployment/other is twice in the chart',
      'Deployment/one is only in the manifests',
      'Deployment/other is only in the chart',
    ]);
  });

  it('ignores the order of lists with keys, and no other order', () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    expect(compareObjects([deployment({ env: [a, b] })], [deployment({ env: [b, a] })])).toEqual([]);
    expect(compareObjects([deployment({ args: ['a', 'b'] })], [deployment({ args: ['b', 'a'] })])).toHaveLength(2);
  });

  it('ignores the hash of the settings in the pods, and no other annotation', () => {
    const withAnnotations = (annotations: JsonMap): JsonMap => ({
      ...deployment({}),
      spec: { template: { metadata: { annotations }, spec: {} } },
    });
    expect(compareObjects([deployment({})], [withAnnotations({ 'checksum/config': 'x' })])).toEqual([]);
    expect(compareObjects([deployment({})], [withAnnotations({ 'checksum/config': 'x', other: 'y' })])).toHaveLength(1);
  });
});
