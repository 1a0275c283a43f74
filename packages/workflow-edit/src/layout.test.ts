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
    expect([a?.inputs.length, a?.height, b?.inputs.length, b?.outputs.length]).toEqual([2, 104, 3, 2]);
  });

  it('draws nodes at impossible places within bounds', () => {
    const far = { ...nodeOf('A'), position: [1e300, -1e300] };
    expect(layOut(definitionOf({ nodes: [far, far] }), kinds)).toMatchObject([{ x: 1e6, y: -1e6 }]);
  });
});
