import { definitionHash } from './definition-hash';

const nodes = [{ id: '1', name: 'A', type: 't', position: [0, 0], parameters: { b: 1, a: [{ z: 'ü', y: null }] } }];

describe('the hash of a definition', () => {
  it('depends neither on the order of keys nor on the ids of nodes', () => {
    const one = { name: 'w', nodes, connections: {}, settings: {} };
    const other = {
      settings: {},
      connections: {},
      nodes: [
        { parameters: { a: [{ y: null, z: 'ü' }], b: 1 }, position: [0, 0], type: 't', name: 'A', id: 'another' },
      ],
      name: 'w',
    };
    expect(definitionHash(one)).toBe(definitionHash(other));
    expect(definitionHash(one)).toMatch(/^1:[0-9a-f]{64}$/);
  });

  it('is that of the text with sorted keys', () => {
    // echo -n '{"name":"w","nodes":[{"name":"A"}]}' | sha256sum
    expect(definitionHash({ nodes: [{ name: 'A', id: 'x' }], name: 'w' })).toBe(
      '1:1ecb7a67f7fd6d18e2cf965275a15b8b76fe1e44746b32df9870fcb8fba10733',
    );
  });

  it.each([
    ['a value', { name: 'w', nodes: [{ ...nodes[0], parameters: {} }] }],
    ['the order of nodes', { name: 'w', nodes: [...nodes, { name: 'B' }].reverse() }],
    ['ids below nodes', { name: 'w', nodes: [{ ...nodes[0], credentials: { a: { id: '1' } } }] }],
  ])('depends on %s', (_, changed) => {
    expect(definitionHash(changed)).not.toBe(definitionHash({ name: 'w', nodes }));
  });
});
