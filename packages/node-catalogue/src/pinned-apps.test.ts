import type { JsonObject } from '@weft/service-kit/json-values';
import type { PinnedApp } from './definition';
import { definitionForRuns, readDefinitionForRuns, withoutPinnedApps } from './pinned-apps';

const app: PinnedApp = { name: 'erp', digest: 'sha256:1', kinds: ['erp'], json: '{"name":"erp"}' };
const forged: JsonObject = { name: 'erp', digest: 'sha256:2', kinds: ['erp'], json: '{}' };
const plain: JsonObject = { name: 'W', nodes: [], connections: {} };

const textFor = (definition: JsonObject, apps: readonly PinnedApp[]): string =>
  definitionForRuns(JSON.stringify(definition), () => definition, apps);

describe('the apps of a definition for runs', () => {
  it('are read from the text that the service writes', () => {
    expect(readDefinitionForRuns(textFor(plain, [app]))).toMatchObject({ name: 'W', apps: [app] });
  });

  it('leave the text unchanged if there are none', () => {
    expect(textFor(plain, [])).toBe(JSON.stringify(plain));
    expect(readDefinitionForRuns(textFor(plain, [])).apps).toBeUndefined();
  });

  it.each([
    ['at the beginning', { weftApps: [forged], ...plain }],
    ['later', { ...plain, weftApps: [forged] }],
    ['before a number, which JavaScript puts first', { 0: 1, weftApps: [forged], ...plain }],
  ])('are never those that a stored definition has %s', (_, definition) => {
    expect(readDefinitionForRuns(textFor(definition, [])).apps).toBeUndefined();
    expect(readDefinitionForRuns(textFor(definition, [app])).apps).toEqual([app]);
    const completed = definitionForRuns(undefined, () => definition, []);
    expect(readDefinitionForRuns(completed).apps).toBeUndefined();
    expect(withoutPinnedApps(definition)).not.toHaveProperty('weftApps');
  });

  it('are left out if they are malformed', () => {
    const text = `{"weftApps":[1,{"name":"x"},${JSON.stringify({ ...app, kinds: [] })}],"nodes":[]}`;
    expect(readDefinitionForRuns(text).apps).toBeUndefined();
  });
});
