import { readDefinition, type JsonObject, type KindDescriptor } from '@weft/node-catalogue/definitions';
import { outlineOf, type OutlineEntry } from './outline';
import { nodeOf } from './testing/sample';

const kind = (name: string, isTrigger: boolean, outputs: readonly string[]): [string, KindDescriptor] => [
  name,
  {
    kind: name,
    label: name,
    description: '',
    versions: [1],
    groups: [],
    isTrigger,
    inputs: isTrigger ? [] : ['main'],
    outputs,
    credentials: [],
    parameters: [],
  },
];
const kinds = new Map([
  kind('webhook', true, ['main']),
  kind('set', false, ['main']),
  kind('if', false, ['true', 'false']),
]);

/** Lines such as `If.1>Set`: from output 1 of If to Set. Nodes are placed from top to bottom in order of appearance. */
const outline = (...lines: readonly string[]): OutlineEntry[] => {
  const links = lines.flatMap((line) => {
    const [from = '', to] = line.split('>');
    const [name = '', output = '0'] = from.split('.');
    return [{ name, output: Number(output), to }];
  });
  const names = [...new Set(links.flatMap(({ name, to }) => (to === undefined ? [name] : [name, to])))];
  const nodes = names.map((name, at) =>
    nodeOf(name, {}, { type: `n8n-nodes-base.${/^[a-z]+/i.exec(name)?.[0].toLowerCase() ?? ''}`, position: [0, at] }),
  );
  const connections: Record<string, { main: JsonObject[][] }> = {};
  for (const { name, output, to } of links) {
    if (to === undefined) continue;
    const { main } = (connections[name] ??= { main: [] });
    while (main.length <= output) main.push([]);
    main[output]?.push({ node: to, type: 'main', index: 0 });
  }
  return outlineOf(readDefinition({ name: 'W', nodes, connections }), kinds);
};

type Shape = (string | Shape[])[];
const shapeOf = (entries: readonly OutlineEntry[]): Shape =>
  entries.flatMap(({ name, branches }) => (branches.length === 0 ? [name] : [name, branches.map(shapeOf)]));

describe('the outline', () => {
  it('lists nodes in the order in which they run, whatever their order in the definition', () => {
    expect(shapeOf(outline('set1>set2', 'webhook>set1', 'set2>set3'))).toEqual(['webhook', 'set1', 'set2', 'set3']);
  });

  it('nests branches, and puts what follows both behind them', () => {
    const entries = outline('webhook>if', 'if.0>set1', 'if.1>set2', 'set1>set3', 'set2>set3', 'set3>set4');
    expect(shapeOf(entries)).toEqual(['webhook', 'if', [['set1'], ['set2']], 'set3', 'set4']);
  });

  it('shows links with the labels of outputs', () => {
    const entry = outline('webhook>if', 'if.0>set1', 'if.1>set2')[1];
    expect(entry?.links.map(({ label, to }) => [label, to])).toEqual([
      ['true', 'set1'],
      ['false', 'set2'],
    ]);
  });

  it('follows a loop once', () => {
    const entries = outline('webhook>set1', 'set1>if', 'if.0>set1', 'if.1>set2');
    expect(shapeOf(entries)).toEqual(['webhook', 'set1', 'if', 'set2']);
  });

  it('lists nodes that no trigger reaches last, cycles included', () => {
    const entries = outline('set1>set2', 'set2>set1', 'webhook>set3', 'set4');
    expect(entries.map(({ name, isReached }) => [name, isReached])).toEqual([
      ['webhook', true],
      ['set3', true],
      ['set4', false],
      ['set1', false],
      ['set2', false],
    ]);
  });

  it('lists sub-nodes with the first node that uses them, and not as unreached', () => {
    const names = ['webhook', 'Agent', 'Tool', 'Model', 'Unused'];
    const types: Record<string, string> = { webhook: 'n8n-nodes-base.webhook' };
    const nodes = names.map((name, at) => nodeOf(name, {}, { type: types[name] ?? 'x.y', position: [0, at] }));
    const to = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });
    const connections = {
      webhook: to('Agent', 'main'),
      Tool: to('Agent', 'ai_tool'),
      Model: {
        ai_languageModel: [[...['Tool', 'Agent'].map((node) => ({ node, type: 'ai_languageModel', index: 0 }))]],
      },
    };
    const entries = outlineOf(readDefinition({ name: 'W', nodes, connections }), kinds);
    expect(shapeOf(entries)).toEqual(['webhook', 'Agent', 'Unused']);
    const [tool] = entries[1]?.subNodes ?? [];
    expect(tool).toMatchObject({ name: 'Tool', isReached: true, isSubNode: true, subNodes: [{ name: 'Model' }] });
    expect(entries[2]).toMatchObject({ isReached: false, isSubNode: false });
  });

  it('ends at sub-nodes that use each other', () => {
    const nodes = ['A', 'B'].map((name) => nodeOf(name, {}, { type: 'x.y' }));
    const to = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
    const definition = readDefinition({ name: 'W', nodes, connections: { A: to('B'), B: to('A') } });
    const [a, ...others] = outlineOf(definition, kinds);
    expect([a?.name, a?.subNodes.map(({ name }) => name), others]).toEqual(['A', ['B'], []]);
  });

  it('lists each of 2,000 nodes of a chain once, and of 2,000 branches', () => {
    const chain = outline('webhook>set1', ...Array.from({ length: 1_998 }, (_, at) => `set${at + 1}>set${at + 2}`));
    expect(chain.length).toBe(2_000);
    const star = outline(...Array.from({ length: 1_999 }, (_, at) => `webhook>set${at}`));
    expect(star[0]?.branches.length).toBe(1_999);
  });
});
