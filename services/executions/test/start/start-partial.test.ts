import type { StartPartialExecutionRequest } from '@weft/proto/executions';
import type { RunPlan } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startOf,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const NODES = ['Start', 'A', 'B'].map((name) => ({ name, type: 'a-nodes-base.set' }));

const planOf = (plan: Partial<RunPlan>): RunPlan => ({
  run: [],
  reused: [],
  pinned: [],
  pinnedEntries: [],
  missing: [],
  hasEntry: true,
  runsAll: false,
  ...plan,
});
/** A record as the engine writes it: the index follows the times. */
const recordOf = (executionIndex: number, fields: object): object => ({
  startTime: 1,
  executionTime: 1,
  executionIndex,
  ...fields,
});

const ONLY_B = planOf({ run: ['B'], reused: ['Start', 'A'] });

describe('StartPartialExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  let workflow: FakeWorkflow;
  /** An execution of all nodes, of which B failed. */
  let previous = '';

  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '100' });
    workflow = stack.workflows.add({ nodes: NODES });
    previous = await ended(workflow);
  });
  beforeEach(() => {
    stack.workflows.plan = ONLY_B;
    stack.workflows.planned.length = 0;
  });
  afterAll(() => stack.stop());

  const ended = async (of: FakeWorkflow): Promise<string> => {
    const executionId = await start(replica, of, { input: Buffer.from('{"n":1}') });
    await claim(replica, executionId);
    const nodeRuns = [
      nodeRun('Start', 0, recordOf(0, { data: 'start' })),
      nodeRun('A', 1, recordOf(1, { data: { main: [[{ json: { a: 1 } }], []] } })),
      nodeRun('B', 2, recordOf(2, { error: 'no' }), { failed: true }),
    ];
    await replica.runner.report({ entries: [failedReportOf(executionId, 1, { nodeRuns, lastNode: 'B' })] });
    return executionId;
  };
  const startPartial = (
    fields: Partial<StartPartialExecutionRequest> = {},
    principal: Principal = OWNER,
    of: FakeWorkflow = workflow,
  ) =>
    replica.executions.startPartialExecution(
      { start: startOf(of), destinationNode: 'B', reuseFrom: previous, ...fields },
      { principal },
    );
  const idOf = async (...of: Parameters<typeof startPartial>): Promise<string> =>
    (await startPartial(...of)).started?.executionId ?? '';
  const claimWith = (executionId: string, ...readable: number[]) =>
    replica.runner.claim({
      executionIds: [executionId],
      runnerId: 'runner-1',
      claimId: uuidv7(),
      knownVersionIds: [],
      engineStateVersions: { readable },
    });

  it('begins with copies of the output that is used again, in a state that says which nodes run', async () => {
    const { started, reused } = await startPartial();
    const executionId = started?.executionId ?? '';
    expect(reused).toEqual(['Start', 'A']);
    expect(await stack.stored(executionId)).toMatchObject({
      mode: 'manual',
      state: 'queued',
      nodeRunCount: 2,
      engineStateVersion: 2,
      partial: { destinationNode: 'B', reuseFrom: previous, reused: ['Start', 'A'] },
    });
    const [claimed] = (await claimWith(executionId, 1, 2)).executions;
    expect(JSON.parse(claimed?.engineState.toString() ?? '')).toMatchObject({
      version: 2,
      executionIndex: 2,
      ready: [{ node: 'Start', start: true }],
      partial: { run: ['B'], replayed: { Start: 0, A: 0 }, entries: {} },
    });
    const runs: unknown[] = [];
    for await (const part of replica.runner.readNodeRuns({ executionId, fence: claimed?.fence ?? 0 }))
      runs.push(...part.nodeRuns.map(({ node, recordJson }) => [node, JSON.parse(recordJson.toString())]));
    expect(runs).toEqual([
      ['Start', recordOf(0, { data: 'start' })],
      ['A', recordOf(1, { data: { main: [[{ json: { a: 1 } }], []] } })],
    ]);
    const report = reportOf(executionId, claimed?.fence ?? 0, { nodeRuns: [nodeRun('B', 2)], lastNode: 'B' });
    await replica.runner.report({ entries: [report] });
    expect(await stack.stored(executionId)).toMatchObject({ state: 'success', nodeRunCount: 3 });
  });

  it('is claimed only by a runner that reads its state', async () => {
    const executionId = await idOf();
    expect((await claimWith(executionId, 1)).executions).toEqual([]);
    expect((await claimWith(executionId, 1, 2)).executions).toHaveLength(1);
  });

  it('keeps its copies when the execution that they come from is deleted', async () => {
    const source = await ended(workflow);
    const executionId = await idOf({ reuseFrom: source });
    await replica.executions.deleteExecution({ executionId: source }, { principal: OWNER });
    const [claimed] = (await claimWith(executionId, 2)).executions;
    const nodes: string[] = [];
    for await (const { nodeRuns } of replica.runner.readNodeRuns({ executionId, fence: claimed?.fence ?? 0 }))
      nodes.push(...nodeRuns.map(({ node }) => node));
    expect(nodes).toEqual(['Start', 'A']);
  });

  it('asks for a plan with the draft and with what ran, by node', async () => {
    await startPartial({ definition: Buffer.from(JSON.stringify({ nodes: NODES, name: 'draft' })) });
    expect(stack.workflows.planned).toEqual([
      {
        destinationNode: 'B',
        previous: {
          versionId: workflow.versionId,
          startNode: 'Start',
          succeeded: false,
          usePinData: true,
          nodes: [
            expect.objectContaining({ node: 'Start', failed: false, runs: 1 }),
            { node: 'A', failed: false, runs: 1, filledOutputs: [1, 0] },
            expect.objectContaining({ node: 'B', failed: true, runs: 1 }),
          ],
        },
      },
    ]);
  });

  it('runs all nodes of a draft like any start, with its input', async () => {
    stack.workflows.plan = planOf({ runsAll: true });
    const input = Buffer.from('{"n":2}');
    const definition = Buffer.from(JSON.stringify({ nodes: NODES, name: 'draft' }));
    const { started, reused } = await startPartial({
      start: startOf(workflow, { input }),
      definition,
      destinationNode: '',
      reuseFrom: '',
    });
    expect(reused).toEqual([]);
    const record = await stack.stored(started?.executionId ?? '');
    expect(record).not.toHaveProperty('partial');
    expect(record).not.toHaveProperty('engineStateVersion');
    expect(record?.versionId).not.toBe(workflow.versionId);
    expect((await claim(replica, started?.executionId ?? '')).input).toEqual(input);
  });

  it('gives a repeated request with its key the same execution, and refuses the key for other nodes', async () => {
    const keyed = startOf(workflow, { idempotencyKey: 'once' });
    const first = await startPartial({ start: keyed });
    const again = await startPartial({ start: keyed });
    expect([again.started?.executionId, again.started?.existing, again.reused]).toEqual([
      first.started?.executionId,
      true,
      ['Start', 'A'],
    ]);
    await expect(startPartial({ start: keyed, destinationNode: 'A' })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('refuses a plan that lacks output, and names the nodes', async () => {
    stack.workflows.plan = planOf({ run: ['B'], missing: ['A'] });
    await expect(startPartial()).rejects.toMatchObject({ reason: 'REUSE_NOT_POSSIBLE', fields: [{ field: 'A' }] });
  });

  it('refuses input that would have no effect, and a plan without nodes', async () => {
    const withInput = startOf(workflow, { input: Buffer.from('{"n":3}') });
    await expect(startPartial({ start: withInput })).rejects.toMatchObject({ fields: [{ field: 'input' }] });
    await expect(startPartial({ destinationNode: '' })).rejects.toMatchObject({
      fields: [{ field: 'destinationNode' }],
    });
    await expect(startPartial({ destinationNode: 'x'.repeat(501) })).rejects.toMatchObject({
      fields: [{ field: 'destinationNode' }],
    });
  });

  it('refuses an execution that is unknown, has not ended, or ran another workflow or a lost version', async () => {
    const running = await start(replica, workflow);
    const other = await ended(stack.workflows.add({ nodes: NODES }));
    const old = stack.workflows.add({ nodes: NODES });
    const ofOld = await ended(old);
    const now = stack.workflows.replace(old, { name: 'next' });
    stack.workflows.forget(old);
    const elsewhere = await stack.startReplica();
    const reasonOf = (reuseFrom: string, of = workflow) =>
      elsewhere.executions
        .startPartialExecution({ start: startOf(of), destinationNode: 'B', reuseFrom }, { principal: OWNER })
        .then(
          () => 'started',
          (error: { reason: string }) => error.reason,
        );
    expect(await reasonOf(uuidv7())).toBe('EXECUTION_NOT_FOUND');
    expect(await reasonOf('nonsense')).toBe('EXECUTION_NOT_FOUND');
    expect(await reasonOf(running)).toBe('EXECUTION_NOT_FINISHED');
    expect(await reasonOf(other)).toBe('REUSE_NOT_POSSIBLE');
    expect(await reasonOf(ofOld, now)).toBe('REUSE_NOT_POSSIBLE');
  });

  it('runs nothing if the workflows service is of an earlier release, which would run all nodes', async () => {
    stack.workflows.plan = undefined;
    await expect(startPartial()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is for those who may start the workflow', async () => {
    const editor: Principal = { userId: 'user-other', role: 'editor' };
    await expect(startPartial({}, editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(startPartial({}, { userId: 'user-viewer', role: 'viewer' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
