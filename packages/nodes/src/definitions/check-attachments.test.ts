import { type JsonObject, type KindDescriptor, type KindTable, readDefinition } from '@weft/node-catalogue';
import { attachmentErrors, withSubNodes } from './check-attachments';

const kind = (name: string, more: Partial<KindDescriptor> = {}): [string, KindDescriptor] => [
  name,
  {
    kind: name,
    label: name,
    description: '',
    versions: [1],
    groups: [],
    isTrigger: false,
    inputs: [],
    outputs: [],
    credentials: [],
    parameters: [{ name: 'two', label: 'Two', type: 'boolean', default: false }],
    ...more,
  },
];

const KINDS: KindTable = new Map([
  kind('root', {
    inputs: ['main'],
    accepts: [
      { type: 'ai_languageModel', label: 'model', required: true, max: 1, shownWhen: { two: [false] } },
      { type: 'ai_languageModel', label: 'model', required: true, max: 2, shownWhen: { two: [true] } },
      { type: 'ai_tool', label: 'tools' },
    ],
  }),
  kind('model', { provides: [{ type: 'ai_languageModel' }] }),
  kind('tool', {
    provides: [{ type: 'ai_tool' }],
    accepts: [{ type: 'ai_tool', label: 'tools' }],
  }),
  kind('set', { inputs: ['main'] }),
]);

type Link = readonly [from: string, type: string, to: string];

const errorsOf = (
  nodes: readonly (readonly [name: string, kind: string, more?: JsonObject])[],
  links: readonly Link[],
) => {
  const connections: Record<string, Record<string, JsonObject[][]>> = {};
  for (const [from, type, node] of links)
    (((connections[from] ??= {})[type] ??= [[]])[0] ?? []).push({ node, type, index: 0 });
  const definition = readDefinition(
    JSON.parse(
      JSON.stringify({
        name: 'W',
        nodes: nodes.map(([name, type, more]) => ({
          id: name,
          name,
          type: `n8n-nodes-base.${type}`,
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
          ...more,
        })),
        connections,
      }),
    ),
  );
  return { messages: attachmentErrors(definition, KINDS).map(({ message }) => message), definition };
};

const MODEL: Link = ['M', 'ai_languageModel', 'R'];

describe('attachmentErrors', () => {
  it('accepts a root with what it needs', () => {
    const nodes = [
      ['R', 'root'],
      ['M', 'model'],
      ['T', 'tool'],
    ] as const;
    expect(errorsOf(nodes, [MODEL, ['T', 'ai_tool', 'R']]).messages).toEqual([]);
  });

  it('names a sub-node that is missing, and takes a disabled one for missing', () => {
    const missing = 'Node "R" has no model: connect a sub-node to its input ai_languageModel.';
    expect(errorsOf([['R', 'root']], []).messages).toEqual([missing]);
    expect(
      errorsOf(
        [
          ['R', 'root'],
          ['M', 'model', { disabled: true }],
        ],
        [MODEL],
      ).messages,
    ).toEqual([missing]);
    expect(errorsOf([['R', 'root', { disabled: true }]], []).messages).toEqual([]);
  });

  it('counts sub-nodes by what the parameters allow', () => {
    const links: Link[] = [MODEL, ['N', 'ai_languageModel', 'R']];
    const nodesWith = (parameters: JsonObject) =>
      [
        ['R', 'root', { parameters }],
        ['M', 'model'],
        ['N', 'model'],
      ] as const;
    expect(errorsOf(nodesWith({}), links).messages).toEqual([
      'Node "R" has 2 sub-nodes of type ai_languageModel; it uses at most 1.',
    ]);
    expect(errorsOf(nodesWith({ two: true }), links).messages).toEqual([]);
    expect(errorsOf(nodesWith({ two: '={{ $json.two }}' }), links).messages).toEqual([]);
  });

  it('refuses links of types that one of the ends does not have', () => {
    const nodes = [
      ['R', 'root'],
      ['M', 'model'],
      ['S', 'set'],
    ] as const;
    expect(errorsOf(nodes, [MODEL, ['S', 'ai_tool', 'R']]).messages).toEqual([
      'Node "S" (set) cannot be connected to "R" as ai_tool: it is not a sub-node.',
    ]);
    expect(errorsOf(nodes, [MODEL, ['M', 'ai_tool', 'R']]).messages).toEqual([
      'Node "M" (model) cannot be connected to "R" as ai_tool: it provides ai_languageModel.',
    ]);
    expect(errorsOf(nodes, [MODEL, ['M', 'ai_languageModel', 'S']]).messages).toEqual([
      'Node "S" (set) uses no sub-node of type ai_languageModel: remove the link from "M".',
    ]);
  });

  it('refuses tools that have the same name for the model', () => {
    const nodes = [
      ['R', 'root'],
      ['M', 'model'],
      ['get it', 'tool'],
      ['get  it', 'tool'],
    ] as const;
    const { messages } = errorsOf(nodes, [MODEL, ['get it', 'ai_tool', 'R'], ['get  it', 'ai_tool', 'R']]);
    expect(messages).toEqual([
      'The tools "get it" and "get  it" of node "R" have the same name for the model (get_it): rename one of them.',
    ]);
  });

  it('refuses circles and deep nesting', () => {
    const tools = Array.from({ length: 7 }, (_, at) => [`T${at}`, 'tool'] as const);
    const chain = (count: number): Link[] =>
      Array.from({ length: count }, (_, at) => [`T${at + 1}`, 'ai_tool', `T${at}`]);
    const nodes = [['R', 'root'], ['M', 'model'], ...tools] as const;
    const into: Link[] = [MODEL, ['T0', 'ai_tool', 'R']];
    expect(errorsOf(nodes, [...into, ...chain(4)]).messages).toEqual([]);
    expect(errorsOf(nodes, [...into, ...chain(5)]).messages).toEqual([
      'The sub-nodes of node "R" are nested more than 5 levels deep.',
    ]);
    expect(errorsOf(nodes, [...into, ...chain(1), ['T0', 'ai_tool', 'T1']]).messages).toEqual(
      expect.arrayContaining(['Node "T0" is a sub-node of itself: remove the circle.']),
    );
  });
});

describe('withSubNodes', () => {
  it('adds sub-nodes of sub-nodes', () => {
    const nodes = [
      ['R', 'root'],
      ['M', 'model'],
      ['T', 'tool'],
      ['U', 'tool'],
      ['X', 'tool'],
    ] as const;
    const { definition } = errorsOf(nodes, [MODEL, ['T', 'ai_tool', 'R'], ['U', 'ai_tool', 'T']]);
    expect([...withSubNodes(definition, new Set(['R']))].sort()).toEqual(['M', 'R', 'T', 'U']);
  });
});
