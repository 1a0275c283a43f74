import {
  type JsonObject,
  type KindDescriptor,
  type WorkflowDefinition,
  readDefinition,
} from '@weft/node-catalogue/definitions';
import { layOut, NODE_SIZE } from './layout';
import { planRun, type PreviousRun, type RunTarget } from './run-plan';
import { chain, nodeOf } from './testing/sample';

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
const line = (changes: Readonly<Record<string, JsonObject>> = {}, more: JsonObject = {}): WorkflowDefinition =>
  definitionOf({
    nodes: [typed('Start', 'manualTrigger'), ...['A', 'B', 'C'].map((name) => nodeOf(name, changes[name] ?? {}))],
    connections: chain('Start', 'A', 'B', 'C'),
    ...more,
  });
const ran = (
  definition: WorkflowDefinition,
  statuses: Readonly<Record<string, 'success' | 'error'>> = {},
): PreviousRun => ({
  definition,
  startNode: 'Start',
  runs: new Map(definition.nodes.map(({ name }) => [name, statuses[name] ?? 'success'])),
});
const plan = (draft: WorkflowDefinition, previous: PreviousRun | undefined, target: RunTarget) => {
  const { run, reused, pinned, missing, startNode } = planRun(draft, previous, target, { kinds, usePinData: true });
  return { run: run.join(), reused: reused.join(), pinned: pinned.join(), missing: missing.join(), startNode };
};

describe('the plan of a run to a node', () => {
  const to = (node: string): RunTarget => ({ mode: 'to', node });

  it('runs everything before it if nothing ran yet', () => {
    expect(plan(line(), undefined, to('B'))).toEqual({
      run: 'Start,A,B',
      reused: '',
      pinned: '',
      missing: '',
      startNode: 'Start',
    });
  });

  it('runs only the node if nothing before it has changed', () => {
    expect(plan(line(), ran(line()), to('C'))).toMatchObject({ run: 'C', reused: 'Start,A,B', startNode: undefined });
  });

  it('runs from the first node that has changed', () => {
    expect(plan(line({ A: { x: 1 } }), ran(line()), to('C'))).toMatchObject({ run: 'A,B,C', reused: 'Start' });
    expect(plan(line({ C: { x: 1 } }), ran(line()), to('C'))).toMatchObject({ run: 'C', reused: 'Start,A,B' });
  });

  it('runs nodes that failed, and those without data', () => {
    expect(plan(line(), ran(line(), { B: 'error' }), to('C'))).toMatchObject({ run: 'B,C', reused: 'Start,A' });
    const partial = { ...ran(line()), runs: new Map([['Start', 'success'] as const]) };
    expect(plan(line(), partial, to('C'))).toMatchObject({ run: 'A,B,C', reused: 'Start' });
  });

  it('is not affected by position and notes, but by links and settings', () => {
    const nodes = [
      typed('Start', 'manualTrigger'),
      nodeOf('A', {}, { position: [9, 9], notes: 'n' }),
      nodeOf('B'),
      nodeOf('C'),
    ];
    const moved = definitionOf({ nodes, connections: chain('Start', 'A', 'B', 'C') });
    expect(plan(moved, ran(line()), to('C'))).toMatchObject({ run: 'C' });
    const relinked = definitionOf({
      nodes,
      connections: { ...chain('Start', 'A', 'B', 'C'), Start: { main: [[], [{ node: 'A' }]] } },
    });
    expect(plan(relinked, ran(line()), to('C'))).toMatchObject({ run: 'A,B,C' });
  });

  it('begins behind pinned nodes', () => {
    const pinned = line({}, { pinData: { B: [{ json: {} }] } });
    expect(plan(pinned, undefined, to('C'))).toMatchObject({ run: 'C', pinned: 'B' });
    expect(plan(pinned, ran(line()), to('C'))).toMatchObject({ run: 'C', pinned: 'B', reused: 'Start,A' });
  });

  it('runs a whole loop if a node in it has changed', () => {
    const loop = (changed: JsonObject) =>
      definitionOf({
        nodes: [typed('Start', 'manualTrigger'), nodeOf('A'), nodeOf('B', changed), nodeOf('C')],
        connections: {
          Start: { main: [[{ node: 'A' }]] },
          A: { main: [[{ node: 'C' }], [{ node: 'B' }]] },
          B: { main: [[{ node: 'A' }]] },
        },
      });
    expect(plan(loop({ x: 1 }), ran(loop({})), to('C'))).toMatchObject({ run: 'A,B,C', reused: 'Start' });
  });

  it('starts at one trigger: the one of the previous execution, and runs nothing of the others', () => {
    const two = definitionOf({
      nodes: [typed('Start', 'manualTrigger', 5), typed('Hook', 'webhook', 0), nodeOf('OnlyHook'), nodeOf('B')],
      connections: {
        Start: { main: [[{ node: 'B' }]] },
        Hook: { main: [[{ node: 'OnlyHook' }]] },
        OnlyHook: { main: [[{ node: 'B' }]] },
      },
    });
    expect(plan(two, undefined, to('B'))).toMatchObject({ run: 'Hook,OnlyHook,B', startNode: 'Hook' });
    expect(plan(two, { ...ran(two), runs: new Map() }, to('B'))).toMatchObject({ run: 'Start,B', startNode: 'Start' });
  });
});

describe('the plan of other runs', () => {
  it('covers everything behind a trigger, with pins and without notes', () => {
    const draft = line({}, { pinData: { A: [{ json: {} }] } });
    expect(plan(draft, ran(draft), { mode: 'all' })).toMatchObject({
      run: 'Start,B,C',
      pinned: 'A',
      reused: '',
      startNode: 'Start',
    });
    const note = definitionOf({ nodes: [typed('Note', 'stickyNote')], connections: {} });
    expect(plan(note, undefined, { mode: 'all' })).toMatchObject({ run: '', startNode: undefined });
  });

  it('begins at a node and covers everything behind it', () => {
    expect(plan(line(), ran(line()), { mode: 'from', node: 'B' })).toMatchObject({ run: 'B,C', reused: 'Start,A' });
  });

  it('covers one node alone, if there is data for it', () => {
    expect(plan(line(), ran(line()), { mode: 'only', node: 'B' })).toMatchObject({
      run: 'B',
      reused: 'Start,A',
      missing: '',
    });
    expect(plan(line(), undefined, { mode: 'only', node: 'B' })).toMatchObject({ run: 'B', missing: 'A,Start' });
  });
});

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
