import { memoryDataTables } from '../testing/memory-data-tables';
import { memoryFileArea } from '../testing/memory-file-area';
import { readDefinition } from '@weft/node-catalogue';
import { initialState } from '../records/engine-state';
import type { InputSources } from '../records/engine-state';
import { NodeScope } from './node-scope';
import { prepareWorkflow } from '../prepare/prepare-workflow';
import { RunFrame } from '../run/run-frame';
import type { NodeRunRecord } from '../records/run-record';

const to = (...ends: string[]) => ends.map((node) => ({ node, type: 'main', index: 0 }));
const definition = readDefinition({
  name: 'Orders',
  nodes: ['S', 'If', 'A', 'B', 'Later', 'Never', 'Pinned'].map((name) => ({
    name,
    type: 'test-nodes-base.x',
    parameters: { of: name },
    executeOnce: name === 'A',
  })),
  connections: { S: { main: [to('If')] }, If: { main: [to('A'), to('B')] }, Later: { main: [to('B')] } },
  settings: { timezone: 'Europe/Berlin' },
  pinData: { Pinned: [{ json: { pin: 1 } }] },
});
const record = (executionIndex: number, source: InputSources, ...main: number[][]): NodeRunRecord => ({
  startTime: 0,
  executionTime: 0,
  executionIndex,
  source,
  hints: [],
  executionStatus: 'success',
  data: { main: main.map((items) => items.map((n, item) => ({ json: { n }, pairedItem: { item } }))) },
});
const records = new Map([
  ['S', [record(0, [], [1, 2]), record(3, [], [3])]],
  [
    'If',
    [record(1, [{ previousNode: 'S' }], [1], [2]), record(4, [{ previousNode: 'S', previousNodeRun: 1 }], [], [3])],
  ],
]);

/** The scope of node `name`, which got its items from a run of If. */
function scopeOf(name: string, source = { previousNode: 'If', previousNodeOutput: 1 }): NodeScope {
  const workflow = prepareWorkflow(definition, new Map());
  const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));
  const frame = new RunFrame(
    {
      workflow,
      workflowId: 'w1',
      workflowActive: true,
      executionId: 'e1',
      mode: 'manual',
      input: [],
      state: initialState('S'),
      records,
      usePinData: true,
      signal: new AbortController().signal,
    },
    {
      registry: new Map(),
      defaultTimezone: 'UTC',
      vars: { v: 1 },
      env: { E: 'e' },
      nodeRunsMax: 10,
      ports: {
        http: { request: refuse },
        streams: { stream: refuse },
        mail: { send: refuse },
        databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
        remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
        credentials: { use: refuse },
        clock: { now: () => 0, sleep: refuse },
        files: { read: refuse, store: refuse },
        code: { run: refuse },
        formats: { run: refuse },
        persistentState: { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
        dataTables: memoryDataTables([]),
        fileArea: memoryFileArea(),
        instance: { isHere: refuse, call: refuse },
        startChild: refuse,
        respond: refuse,
      },
    },
  );
  const node = workflow.nodes.get(name);
  if (node === undefined) throw new Error('No such node.');
  return new NodeScope(
    {
      frame,
      node,
      runIndex: 1,
      sources: [source],
      items: frame.store.itemsOf(source),
      itemsInput: 0,
      leadingRuns: new Map(),
    },
    0,
  );
}
const numbers = (scope: NodeScope, name: string, choice?: { output?: number; run?: number }) =>
  scope.nodeOutput(name, choice).map((item) => item.json['n']);

describe('the scope of an expression', () => {
  it('is the current item, its index, and its origin', () => {
    const scope = scopeOf('B');
    expect(scope.item?.json).toEqual({ n: 2 });
    expect(scope.prevNode).toEqual({ name: 'If', outputIndex: 1, runIndex: 0 });
    expect([scope.itemIndex, scope.runIndex, scope.nodeName]).toEqual([0, 1, 'B']);
    expect(scope.workflow).toEqual({ id: 'w1', name: 'Orders', active: true });
    expect(scope.execution).toMatchObject({ id: 'e1', mode: 'test' });
    expect([scope.mode, scope.nodeVersion]).toEqual(['manual', 1]);
    expect(scope.now().toISO()).toBe('1970-01-01T01:00:00.000+01:00');
    expect(scope.atItem(3).item).toBeUndefined();
  });

  it('of another node is the output through which that node leads here', () => {
    expect(numbers(scopeOf('B'), 'If')).toEqual([2]);
    expect(numbers(scopeOf('A'), 'If')).toEqual([1]);
    expect(numbers(scopeOf('B'), 'If', { output: 0 })).toEqual([1]);
  });

  it('of a node that ran several times is the run that led here, unless another is asked for', () => {
    expect(numbers(scopeOf('B'), 'S')).toEqual([1, 2]);
    expect(
      numbers(scopeOf('B', { previousNode: 'If', previousNodeOutput: 1, ...{ previousNodeRun: 1 } }), 'S'),
    ).toEqual([3]);
    expect(numbers(scopeOf('B'), 'S', { run: -1 })).toEqual([3]);
    expect(numbers(scopeOf('B'), 'S', { run: 1 })).toEqual([3]);
  });

  it('of a node that did not lead here is its latest run', () => {
    expect(numbers(scopeOf('A', { previousNode: 'Pinned', previousNodeOutput: 0 }), 'S')).toEqual([3]);
  });

  it('of a node that has not run is an error, unless it is pinned', () => {
    expect(() => scopeOf('B').nodeOutput('Never')).toThrow(expect.objectContaining({ type: 'no_execution_data' }));
    expect(() => scopeOf('B').pairedItem('Later', 0)).toThrow(expect.objectContaining({ type: 'no_execution_data' }));
    expect(
      scopeOf('B')
        .nodeOutput('Pinned')
        .map((item) => item.json),
    ).toEqual([{ pin: 1 }]);
    expect([scopeOf('B').isExecuted('Never'), scopeOf('B').isExecuted('Pinned'), scopeOf('B').isExecuted('S')]).toEqual(
      [false, true, true],
    );
  });

  it('paired with the current item, of a node from which no path leads here, is an invalid expression', () => {
    for (const name of ['Never', 'A'])
      expect(() => scopeOf('B').pairedItem(name, 0)).toThrow(
        expect.objectContaining({ type: 'no_connection', message: 'Invalid expression', node: name }),
      );
  });

  it('of a run that does not exist is an error', () => {
    expect(() => scopeOf('B').nodeOutput('S', { run: 9 })).toThrow(expect.objectContaining({ type: 'no_node_data' }));
  });

  it('knows the nodes of the workflow', () => {
    const scope = scopeOf('B');
    expect([scope.hasNode('A'), scope.hasNode('constructor')]).toEqual([true, false]);
    expect(scope.nodeParameters('A')).toEqual({ of: 'A' });
    expect([scope.executesOnce('A'), scope.executesOnce('B')]).toEqual([true, false]);
    expect(scope.nodeContext('A')).toEqual({});
  });
});
