import type { JsonObject } from '@weft/service-kit/json-values';
import type { WorkflowDefinition } from '../definition';
import type { KindDescriptor } from '../descriptor';
import { readDefinition } from '../read-definition';
import { planRun, type PreviousRun, type PreviousRuns, type RunTarget } from './plan-run';

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

const nodeOf = (name: string, parameters: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  id: `id-${name}`,
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3,
  position: [0, 0],
  parameters,
  ...more,
});
const chain = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.slice(1).map((to, at) => [names[at] ?? '', { main: [[{ node: to }]] }]));
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
const succeeded: PreviousRuns = { status: 'success', runs: 1, filledOutputs: [1, 1] };
const ran = (
  definition: WorkflowDefinition,
  runs: Readonly<Record<string, Partial<PreviousRuns> | undefined>> = {},
  more: Partial<PreviousRun> = {},
): PreviousRun => ({
  definition,
  startNode: 'Start',
  hasSucceeded: !Object.values(runs).some((one) => one?.status === 'error'),
  usePinData: true,
  runs: new Map(
    definition.nodes.flatMap(({ name }): [string, PreviousRuns][] =>
      Object.hasOwn(runs, name) && runs[name] === undefined ? [] : [[name, { ...succeeded, ...runs[name] }]],
    ),
  ),
  ...more,
});
const failed: Partial<PreviousRuns> = { status: 'error', filledOutputs: [] };
const none = undefined;
const plan = (draft: WorkflowDefinition, previous: PreviousRun | undefined, target: RunTarget) => {
  const { startNode, entry, ...lists } = planRun(draft, previous, target, { kinds, usePinData: true });
  const { run, reused, pinned, missing, pinnedEntries } = lists;
  return {
    run: run.join(),
    reused: reused.join(),
    pinned: pinned.join(),
    missing: missing.join(),
    begin: [...(entry === undefined ? [] : [entry]), ...pinnedEntries].join(),
    startNode,
  };
};

describe('the plan of a run to a node', () => {
  const to = (node: string): RunTarget => ({ mode: 'to', node });

  it('runs everything before it if nothing ran yet', () => {
    expect(plan(line(), undefined, to('B'))).toEqual({
      run: 'Start,A,B',
      reused: '',
      pinned: '',
      missing: '',
      begin: 'Start',
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
    expect(plan(line(), ran(line(), { B: failed, C: none }), to('C'))).toMatchObject({ run: 'B,C', reused: 'Start,A' });
    expect(plan(line(), ran(line(), { A: none, B: none, C: none }), to('C'))).toMatchObject({
      run: 'A,B,C',
      reused: 'Start',
    });
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

  it('begins at pinned nodes that nothing leads to, in the order of the definition after the trigger', () => {
    const pinned = line({}, { pinData: { B: [{ json: {} }] } });
    expect(plan(pinned, undefined, to('C')).begin).toBe('B');
    expect(plan(pinned, ran(pinned), to('C')).begin).toBe('Start');
    const stale = line({ A: { x: 1 } }, { pinData: { B: [{ json: {} }] } });
    expect(plan(stale, ran(pinned), to('C'))).toMatchObject({ run: 'C', reused: '', pinned: 'B', begin: 'B' });
  });

  it('does not reuse what an execution without pins made of the output of a pinned node', () => {
    const pinned = line({}, { pinData: { A: [{ json: {} }] } });
    expect(plan(pinned, ran(pinned, {}, { usePinData: false }), to('C'))).toMatchObject({ run: 'B,C', pinned: 'A' });
  });

  it('runs again what an execution that ended early had not finished', () => {
    const draft = definitionOf({
      nodes: [typed('Start', 'manualTrigger'), ...['A', 'B', 'D', 'N'].map((name) => nodeOf(name))],
      connections: {
        ...chain('Start', 'A', 'D', 'N'),
        Start: { main: [[{ node: 'A' }, { node: 'B' }]] },
        B: { main: [[{ node: 'D' }]] },
      },
    });
    const early = ran(draft, { B: none, N: failed }, { hasSucceeded: false });
    expect(plan(draft, early, to('N'))).toMatchObject({ run: 'B,D,N', reused: 'Start,A' });
    const unfilled = ran(draft, { B: none, N: failed, Start: { filledOutputs: [0] } }, { hasSucceeded: false });
    expect(plan(draft, unfilled, to('N'))).toMatchObject({ reused: 'Start,A,D' });
  });

  it.each([`={{ $('A').item.json.x }}`, `={{ $node["A"].json.x }}`, '={{ $node.A.json.x }}', `={{ $items('A') }}`])(
    'runs a node that reads a changed one: %s',
    (text) => {
      const side = (x: number) =>
        definitionOf({
          nodes: [typed('Start', 'manualTrigger'), nodeOf('A', { x }), nodeOf('B', { text }), nodeOf('C')],
          connections: { ...chain('Start', 'B', 'C'), Start: { main: [[{ node: 'A' }, { node: 'B' }]] } },
        });
      expect(plan(side(1), ran(side(1)), to('C'))).toMatchObject({ run: 'C', reused: 'Start,A,B' });
      expect(plan(side(2), ran(side(1)), to('C'))).toMatchObject({ run: 'A,B,C', reused: 'Start' });
    },
  );

  it('runs everything if the timezone has changed', () => {
    const zoned = line({}, { settings: { timezone: 'Europe/Berlin' } });
    expect(plan(zoned, ran(line()), to('B'))).toMatchObject({ run: 'Start,A,B', reused: '' });
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
    const nothing = ran(two, {}, { runs: new Map() });
    expect(plan(two, nothing, to('B'))).toMatchObject({ run: 'Start,B', startNode: 'Start' });
    const onlyStart = ran(two, { Hook: none, OnlyHook: none });
    expect(plan(two, onlyStart, to('B'))).toMatchObject({ run: 'B', reused: 'Start', begin: 'Start' });
    const hook: RunTarget = { mode: 'to', node: 'B', startNode: 'Hook' };
    expect(plan(two, onlyStart, hook)).toMatchObject({ run: 'Hook,OnlyHook,B', reused: '', startNode: 'Hook' });
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

  it('covers what leads from one node to another', () => {
    const target: RunTarget = { mode: 'from', node: 'A', to: 'B' };
    expect(plan(line(), ran(line()), target)).toMatchObject({ run: 'A,B', reused: 'Start' });
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
