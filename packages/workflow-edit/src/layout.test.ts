import {
  type JsonObject,
  type KindDescriptor,
  type WorkflowDefinition,
  readDefinition,
} from '@weft/node-catalogue/definitions';
import { layOut, NODE_SIZE } from './layout';
import { nodeOf } from './testing/sample';

const kind = (name: string, more: Partial<KindDescriptor> = {}): [string, KindDescriptor] => [
  name,
  {
    kind: name,
    label: name,
    description: '',
    versions: [1],
    groups: [],
    isTrigger: false,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [],
    parameters: [],
    ...more,
  },
];
const kinds = new Map([
  kind('manualTrigger', { isTrigger: true, inputs: [] }),
  kind('webhook', { isTrigger: true, inputs: [] }),
  kind('set'),
  kind('if', { outputs: ['true', 'false'] }),
  kind('langchain.agent', {
    versions: [1, 2],
    accepts: [
      { type: 'ai_languageModel', label: 'chat model', required: true, max: 2, since: 2 },
      { type: 'ai_languageModel', label: 'chat model', required: true, max: 1, until: 1 },
      { type: 'ai_tool', label: 'tools' },
    ],
  }),
  kind('langchain.lmChat', { inputs: [], outputs: [], provides: [{ type: 'ai_languageModel' }] }),
  kind('stickyNote', { neverRuns: true, inputs: [], outputs: [] }),
]);

const typed = (name: string, type: string, y = 0): JsonObject =>
  nodeOf(name, {}, { type: `n8n-nodes-base.${type}`, position: [0, y] });
const definitionOf = (json: JsonObject): WorkflowDefinition =>
  readDefinition({ name: 'W', nodes: [], connections: {}, ...json });
describe('the layout', () => {
  it('gives every node its box and ports, from its kind', () => {
    const [box] = layOut(definitionOf({ nodes: [typed('If', 'if')] }), kinds);
    expect(box).toEqual({
      name: 'If',
      x: 0,
      y: 0,
      ...NODE_SIZE,
      head: 56,
      inputs: [{ type: 'main', index: 0, x: 0, y: 28 }],
      outputs: [
        { type: 'main', index: 0, label: 'true', x: 208, y: 16 },
        { type: 'main', index: 1, label: 'false', x: 208, y: 40 },
      ],
    });
  });

  it('has ports for all links, also those that the kind does not have, and for errors', () => {
    const nodes = [nodeOf('A', {}, { onError: 'continueErrorOutput' }), nodeOf('B', {}, { type: 'x.unknown' })];
    const connections = {
      A: { main: [[], [], [], [{ node: 'B', index: 2 }]] },
      B: { ai_tool: [[{ node: 'A', type: 'ai_tool' }]] },
    };
    const [a, b] = layOut(definitionOf({ nodes, connections }), kinds);
    expect(a?.outputs.map(({ label }) => label)).toEqual(['0', 'error', undefined, undefined]);
    expect([a?.inputs.length, a?.height, b?.inputs.length, b?.outputs.length]).toEqual([2, 136, 3, 2]);
  });

  it('has a port below for each sub-node that a kind accepts, used or not, and one above for what it provides', () => {
    const agent = (version: number) => ({
      ...nodeOf('Agent', {}, { type: '@n8n/n8n-nodes-langchain.agent' }),
      typeVersion: version,
    });
    const model = nodeOf('Model', {}, { type: '@n8n/n8n-nodes-langchain.lmChat' });
    const portsOf = (version: number, connections: JsonObject) => {
      const [box, other] = layOut(definitionOf({ nodes: [agent(version), model], connections }), kinds);
      const belowAgent = (box?.inputs ?? []).filter(({ y }) => y === box?.height);
      return { below: belowAgent, above: other?.outputs, heights: [box?.head, box?.height] };
    };
    expect(portsOf(1, {})).toEqual({
      below: [
        { type: 'ai_languageModel', index: 0, label: 'chat model', isRequired: true, x: 52, y: 88 },
        { type: 'ai_tool', index: 0, label: 'tools', isMany: true, x: 156, y: 88 },
      ],
      above: [{ type: 'ai_languageModel', index: 0, x: 104, y: 0 }],
      heights: [56, 88],
    });
    const linked = { Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 1 }]] } };
    for (const connections of [{}, linked])
      expect(portsOf(2, connections).below.map(({ type, index }) => `${type} ${index}`)).toEqual([
        'ai_languageModel 0',
        'ai_languageModel 1',
        'ai_tool 0',
      ]);
  });

  it('draws nodes at impossible places within bounds', () => {
    const far = { ...nodeOf('A'), position: [1e300, -1e300] };
    expect(layOut(definitionOf({ nodes: [far, far] }), kinds)).toMatchObject([{ x: 1e6, y: -1e6 }]);
  });
});
