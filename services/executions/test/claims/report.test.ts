import { ExecutionState } from '@weft/proto/executions';
import { EndState, WriteOutcome } from '@weft/proto/runner';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { findFalseSuccesses, type FalseSuccess } from '../../src/store/executions/find-false-successes';
import { openStore } from '../../src/store/open-store';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED, WRITE_OUTCOME_REFUSED } = WriteOutcome;

describe('Report', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const report = async (...entries: ReturnType<typeof reportOf>[]) =>
    (await replica.runner.report({ entries })).outcomes;
  const running = async (definition: object = {}) => {
    const executionId = await start(replica, stack.workflows.add(definition));
    return claim(replica, executionId);
  };

  it('ends a list entry by entry: applied, duplicate, fenced, unknown', async () => {
    const [one, two, three] = [await running(), await running(), await running()];
    expect(await report(reportOf(two.executionId, 1))).toEqual([WRITE_OUTCOME_APPLIED]);
    const outcomes = await report(
      reportOf(one.executionId, 1),
      reportOf(two.executionId, 1),
      reportOf(three.executionId, 7),
      reportOf(uuidv7(), 1),
    );
    expect(outcomes).toEqual([
      WRITE_OUTCOME_APPLIED,
      WRITE_OUTCOME_DUPLICATE,
      WRITE_OUTCOME_FENCED,
      WRITE_OUTCOME_FENCED,
    ]);
    expect((await stack.stored(three.executionId))?.state).toBe('running');
  });

  it('does not succeed past a stored failure that ends the run, unless the node ran again or continues', async () => {
    const definition = {
      nodes: [
        { name: 'Stops', type: 'n8n-nodes-base.set' },
        { name: 'Continues', type: 'n8n-nodes-base.set', onError: 'continueRegularOutput' },
        { name: 'Tool', type: 'n8n-nodes-base.httpRequestTool' },
      ],
      connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
    };
    const afterFailure = async (node: string, nodeRuns: ReturnType<typeof nodeRun>[] = []) => {
      const { executionId } = await running(definition);
      const data = node === 'Continues' ? { data: { main: [[]] } } : {};
      const failed = [nodeRun(node, 0, data, { failed: true })];
      const progress = { executionId, fence: 1, checkpoint: 1, nodeRuns: failed, engineState: Buffer.from('state') };
      expect((await replica.runner.checkpoint({ entries: [progress] })).outcomes).toEqual([WRITE_OUTCOME_APPLIED]);
      const outcomes = await report(reportOf(executionId, 1, { checkpoint: 1, nodeRuns }));
      const { state, error } = (await stack.stored(executionId)) ?? {};
      return [outcomes[0], state, error?.node];
    };
    expect(await afterFailure('Stops')).toEqual([WRITE_OUTCOME_FENCED, 'error', 'Stops']);
    expect(await afterFailure('Stops', [nodeRun('Other', 1)])).toEqual([WRITE_OUTCOME_FENCED, 'error', 'Stops']);
    expect(await afterFailure('Stops', [nodeRun('Stops', 1)])).toEqual([WRITE_OUTCOME_APPLIED, 'success', undefined]);
    expect(await afterFailure('Continues')).toEqual([WRITE_OUTCOME_APPLIED, 'success', undefined]);
    const agent = [nodeRun('Model', 1), nodeRun('Agent', 2)];
    expect(await afterFailure('Tool', agent)).toEqual([WRITE_OUTCOME_APPLIED, 'success', undefined]);
  });

  it('leaves a success past a failure of an earlier release to a script, which finds nothing else', async () => {
    const ended = async (run: ReturnType<typeof nodeRun>) => {
      const { executionId } = await running();
      await report(reportOf(executionId, 1, { nodeRuns: [nodeRun('First', 0), run] }));
      return executionId;
    };
    const continued = nodeRun('N', 1, { data: { main: [[]] }, executionStatus: 'error' }, { failed: true });
    await ended(continued);
    await ended(nodeRun('N', 1));
    const wrong = await ended(nodeRun('Wrong', 1, { error: { message: 'no' } }, { failed: true }));
    const found: FalseSuccess[] = [];
    const { chunks } = openStore(stack.database, Date.now);
    for await (const one of findFalseSuccesses(stack.database, chunks)) found.push(one);
    expect(found.map(({ executionId, node }) => [executionId, node])).toEqual([[wrong, 'Wrong']]);
  });

  it('hides a successful run whose record is not needed at once, and deletes it', async () => {
    const { executionId } = await running();
    expect(await report(reportOf(executionId, 1, { discard: true }))).toEqual([WRITE_OUTCOME_APPLIED]);
    await expect(replica.executions.getExecution({ executionId }, { principal: OWNER })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
    });
    const record = await stack.stored(executionId);
    expect([record?.state, record?.expireAt]).toEqual(['success', record?.deletedAt]);
    const failed = await running();
    expect(await report(failedReportOf(failed.executionId, 1, { discard: true }))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect((await stack.stored(failed.executionId))?.deletedAt).toBeUndefined();
  });

  it('stores the failure, and removes the claim', async () => {
    const { executionId } = await running();
    expect(await report(failedReportOf(executionId, 1))).toEqual([WRITE_OUTCOME_APPLIED]);
    const { execution } = await replica.executions.getExecution({ executionId }, { principal: OWNER });
    expect(execution).toMatchObject({
      state: ExecutionState.EXECUTION_STATE_ERROR,
      error: { reason: 'NODE_ERROR', message: 'it broke', node: 'N' },
    });
    const record = await stack.stored(executionId);
    expect([record?.lease, record?.claimId, record?.deadlineAt]).toEqual([undefined, undefined, undefined]);
    expect(record?.expireAt?.getTime()).toBeGreaterThan(Date.now() + 13 * 86_400_000);
  });

  it('never changes an end: a late report of another end, or with an old fence, is fenced', async () => {
    const { executionId } = await running();
    await report(reportOf(executionId, 1));
    const before = await stack.stored(executionId);
    expect(await report(failedReportOf(executionId, 1), reportOf(executionId, 2))).toEqual([
      WRITE_OUTCOME_FENCED,
      WRITE_OUTCOME_FENCED,
    ]);
    expect(await stack.stored(executionId)).toEqual(before);
  });

  it('accepts no end from a runner that lost the run, neither while another has it nor later', async () => {
    const { executionId } = await running();
    const state = { checkpoint: 0, nodeRuns: [], engineState: Buffer.alloc(0) };
    await replica.runner.release({ entries: [{ executionId, fence: 1, ...state }] });
    expect((await claim(replica, executionId, 'runner-2')).fence).toBe(2);
    const late = [
      reportOf(executionId, 1),
      reportOf(executionId, 1, { checkpoint: 1 }),
      failedReportOf(executionId, 1),
    ];
    const fenced = late.map(() => WRITE_OUTCOME_FENCED);
    expect(await report(...late)).toEqual(fenced);
    expect(await stack.stored(executionId)).toMatchObject({
      state: 'running',
      fence: 2,
      lease: { runnerId: 'runner-2' },
    });
    expect(await report(reportOf(executionId, 2, { checkpoint: 1 }))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await report(...late)).toEqual(fenced);
    expect(await stack.stored(executionId)).toMatchObject({ state: 'success' });
  });

  it('is fenced when it does not include a stored checkpoint', async () => {
    const { executionId } = await running();
    await replica.runner.checkpoint({
      entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('s') }],
    });
    expect(await report(reportOf(executionId, 1, { nodeRuns: [nodeRun('A', 0)] }))).toEqual([WRITE_OUTCOME_FENCED]);
    expect(await report(reportOf(executionId, 1, { checkpoint: 1, nodeRuns: [nodeRun('B', 1)] }))).toEqual([
      WRITE_OUTCOME_APPLIED,
    ]);
    expect((await stack.stored(executionId))?.nodeRunCount).toBe(2);
  });

  it('stores a response made from the end, unless there is one', async () => {
    const [one, two] = [await running(), await running()];
    const answer = (body: string) => ({
      statusCode: 200,
      headers: [{ name: 'x-a', value: 'b' }],
      body: Buffer.from(body),
    });
    await replica.runner.respond({ executionId: two.executionId, fence: 1, response: answer('first') });
    expect(
      await report(
        reportOf(one.executionId, 1, { response: answer('end') }),
        reportOf(two.executionId, 1, { response: answer('end') }),
      ),
    ).toEqual([WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_APPLIED]);
    expect((await stack.stored(one.executionId))?.response?.body?.toString()).toBe('end');
    expect((await stack.stored(two.executionId))?.response?.body?.toString()).toBe('first');
  });

  it('expires the record soon when the workflow is configured to', async () => {
    const kept = await running({ settings: { saveDataErrorExecution: 'none' } });
    const gone = await running({ settings: { saveDataSuccessExecution: 'none' } });
    await report(reportOf(kept.executionId, 1), reportOf(gone.executionId, 1));
    const completed = await stack.completed(gone.executionId);
    expect(completed.expireAt?.getTime()).toBeLessThan(Date.now() + 2 * 3_600_000);
    expect((await stack.stored(kept.executionId))?.expireAt?.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
  });

  const forgetting: readonly (readonly [string, object, readonly string[]])[] = [
    ['a success', { saveDataSuccessExecution: 'none' }, ['success']],
    ['a failure', { saveDataErrorExecution: 'none' }, ['error']],
    ['any manual run', { saveManualExecutions: false }, ['success', 'error']],
    ['nothing', { saveDataSuccessExecution: 'all', saveDataErrorExecution: 'DEFAULT', saveManualExecutions: true }, []],
  ];
  it.each(forgetting)('expires %s when the settings are %j', async (_, settings, forgotten) => {
    const [success, error] = [await running({ settings }), await running({ settings })];
    await report(reportOf(success.executionId, 1), failedReportOf(error.executionId, 1));
    const isForgotten = async (id: string) =>
      ((await stack.completed(id)).expireAt?.getTime() ?? 0) < Date.now() + 2 * 3_600_000;
    expect([await isForgotten(success.executionId), await isForgotten(error.executionId)]).toEqual([
      forgotten.includes('success'),
      forgotten.includes('error'),
    ]);
  });

  it('ends a run with an error if its results exceed a limit, whatever it reported', async () => {
    const { executionId } = await running();
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: executionId }, { $set: { nodeRunCount: 10_000 } });
    expect(await report(reportOf(executionId, 1, { nodeRuns: [nodeRun('A', 0)] }))).toEqual([WRITE_OUTCOME_FENCED]);
    expect(await stack.stored(executionId)).toMatchObject({ state: 'error', error: { reason: 'TOO_MANY_NODE_RUNS' } });

    const large = await running();
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: large.executionId }, { $set: { dataBytes: 256 * 1024 * 1024 } });
    expect(await report(reportOf(large.executionId, 1, { nodeRuns: [nodeRun('A', 0)] }))).toEqual([
      WRITE_OUTCOME_FENCED,
    ]);
    expect(await stack.stored(large.executionId)).toMatchObject({
      state: 'error',
      error: { reason: 'RUN_DATA_TOO_LARGE' },
    });
  });

  it(
    'refuses an entry without an end state, and a node run without a record, and accepts the others; ' +
      'refuses too long a list',
    async () => {
      const [{ executionId }, good] = [await running(), await running()];
      const entries = [
        reportOf(executionId, 1, { endState: EndState.END_STATE_UNSPECIFIED }),
        reportOf(good.executionId, 1),
        reportOf(executionId, 1, { nodeRuns: [nodeRun('A', 0, {}, { recordJson: Buffer.alloc(0) })] }),
      ];
      const { outcomes, refusals } = await replica.runner.report({ entries });
      expect(outcomes).toEqual([WRITE_OUTCOME_REFUSED, WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_REFUSED]);
      expect(
        Object.entries(refusals?.byPosition ?? {}).map(([position, status]) => [
          position,
          fromRpcStatus(status).reason,
        ]),
      ).toEqual([
        ['0', 'INVALID_REQUEST'],
        ['2', 'INVALID_REQUEST'],
      ]);
      expect((await stack.stored(good.executionId))?.state).toBe('success');
      await expect(report(...Array.from({ length: 501 }, () => reportOf(executionId, 1)))).rejects.toMatchObject({
        reason: 'INVALID_REQUEST',
      });
      expect((await stack.stored(executionId))?.state).toBe('running');
    },
  );

  it('accepts many at once from several replicas', async () => {
    const workflow = stack.workflows.add();
    const other = await stack.startReplica();
    const ids = await Promise.all(Array.from({ length: 100 }, () => start(replica, workflow)));
    await replica.runner.claim({ executionIds: ids, runnerId: 'r', claimId: uuidv7(), knownVersionIds: [] });
    const answers = await Promise.all(
      [replica, other].map(({ runner }) =>
        runner.report({ entries: ids.map((id) => reportOf(id, 1, { nodeRuns: [nodeRun('A', 0)] })) }),
      ),
    );
    const outcomes = answers.flatMap((answer) => answer.outcomes);
    expect(outcomes.filter((outcome) => outcome === WRITE_OUTCOME_APPLIED)).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === WRITE_OUTCOME_DUPLICATE)).toHaveLength(100);
    expect(
      await stack.database
        .collection('executions')
        .countDocuments({ workflowId: workflow.workflowId, state: 'success', nodeRunCount: 1 }),
    ).toBe(100);
  });
});
