import { diffDefinitions, textOfDifferences } from './diff';
import type { JsonObject } from './json';

const link = (node: string) => ({ node, type: 'main', index: 0 });
const base: JsonObject = {
  name: 'w',
  settings: { timezone: 'UTC' },
  nodes: [
    { id: '1', name: 'A', type: 't', position: [0, 0], parameters: { code: 'one\ntwo\nthree' } },
    { id: '2', name: 'B', type: 't', position: [1, 0], parameters: {} },
  ],
  connections: { A: { main: [[link('B')]] } },
};
const textOf = (after: JsonObject, options = { positions: false }): readonly string[] =>
  textOfDifferences(diffDefinitions(base, after, options));
const withNode = (change: object): JsonObject => {
  const [first = {}, second = {}] = base['nodes'] as readonly JsonObject[];
  return { ...base, nodes: [{ ...first, ...change }, second] };
};

describe('the difference of two definitions', () => {
  it('is empty for other ids of nodes and another order of keys', () => {
    const reversed = Object.fromEntries(Object.entries(withNode({ id: '9' })).reverse());
    expect(textOf(reversed)).toEqual([]);
  });

  it('names nodes, links and settings', () => {
    expect(textOf(withNode({ name: 'C' }))).toEqual([
      '  - nodes["A"]: {"id":"1","name":"A","type":"t","position":[0,0],"parameters":{"code":"one\\ntwo\\nthree"}}',
      '  + nodes["C"]: {"id":"1","name":"C","type":"t","position":[0,0],"parameters":{"code":"one\\ntwo\\nthree"}}',
    ]);
    expect(textOf({ ...base, settings: { timezone: 'CET' }, connections: { A: { main: [[], [link('B')]] } } })).toEqual(
      [
        '  ~ settings.timezone: "UTC" -> "CET"',
        '  - links: "A main:0 -> B main:0"',
        '  + links: "A main:1 -> B main:0"',
      ],
    );
  });

  it('shows code by lines', () => {
    expect(textOf(withNode({ parameters: { code: 'one\n2\nthree' } }))).toEqual([
      '  ~ nodes["A"].parameters.code',
      '    @@ line 2',
      '    - two',
      '    + 2',
    ]);
  });

  it('counts moved nodes, or shows where they are', () => {
    expect(textOf(withNode({ position: [5, 0] }))).toEqual(['  ~ 1 nodes moved']);
    expect(textOf(withNode({ position: [5, 0] }), { positions: true })).toEqual(['  ~ nodes["A"].position[0]: 0 -> 5']);
  });

  it('is never empty if the content differs', () => {
    const [first = {}, second = {}] = base['nodes'] as readonly JsonObject[];
    expect(textOf({ ...base, nodes: [second, first] })).toEqual(['  ~ order of nodes: ["A","B"] -> ["B","A"]']);
    expect(textOf({ ...base, connections: { A: { main: [[link('B')], []] } } })).toHaveLength(1);
  });
});
