import { ExecutionStatus } from '@weft/proto/executions';
import { RetryJobState, type RetryFilter, type RetryJob } from '@weft/proto/retries';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const DONE = RetryJobState.RETRY_JOB_STATE_DONE;

describe('a job that retries executions', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
  });
  afterAll(() => stack.stop());

  const failed = async (workflow: FakeWorkflow): Promise<string> => {
    const executionId = await start(replica, workflow);
    await claim(replica, executionId);
    await replica.runner.report({
      entries: [failedReportOf(executionId, 1, { engineState: Buffer.from('s'), engineStateRuns: 0 })],
    });
    return executionId;
  };
  const failures = (workflow: FakeWorkflow, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => failed(workflow)));
  const filterOf = (workflow: FakeWorkflow, over: Partial<RetryFilter> = {}): RetryFilter => ({
    workflowId: workflow.workflowId,
    status: 0,
    reason: '',
    from: undefined,
    to: undefined,
    ...over,
  });
  const startJob = (
    filter: RetryFilter,
    over: { readonly dryRun?: boolean; readonly idempotencyKey?: string } = {},
    principal = OWNER,
    at = replica,
  ) =>
    at.retries.startRetryJob({ filter, options: undefined, dryRun: false, idempotencyKey: '', ...over }, { principal });
  const jobs = () => stack.database.collection<{ _id: string; state: string }>('retryJobs');
  const ended = (id = ''): Promise<RetryJob> =>
    until(`job ${id} ends`, async () => {
      // Its pauses are not under test.
      await jobs().updateOne({ _id: id, state: 'running', retried: { $gt: 0 } }, { $min: { dueAt: new Date() } });
      const { job } = await replica.retries.getRetryJob({ jobId: id }, { principal: OWNER });
      return job?.state === RetryJobState.RETRY_JOB_STATE_RUNNING ? undefined : job;
    });
  const retriesIn = (workflow: FakeWorkflow) =>
    stack.database
      .collection<ExecutionRecord>('executions')
      .find({ workflowId: workflow.workflowId, mode: 'retry' })
      .toArray();

  it('reports how many there are before it starts anything', async () => {
    const workflow = stack.workflows.add();
    await failures(workflow, 3);
    await failures(stack.workflows.add(), 1);
    await start(replica, workflow);
    expect(await startJob(filterOf(workflow), { dryRun: true })).toEqual({ matched: 3, job: undefined });
    expect(await startJob(filterOf(workflow, { reason: 'TIMED_OUT' }), { dryRun: true })).toMatchObject({ matched: 0 });
    expect(await retriesIn(workflow)).toEqual([]);
  });

  it('retries each match of the filter once, and none that were retried before or accepted later', async () => {
    const workflow = stack.workflows.add();
    const ids = await failures(workflow, 45);
    const retried = (
      await replica.retries.retryExecution(
        { executionId: ids[7] ?? '', options: undefined, idempotencyKey: '' },
        { principal: OWNER },
      )
    ).started?.executionId;
    const { matched, job } = await startJob(filterOf(workflow));
    expect(matched).toBe(44);
    const later = await failed(workflow);
    expect(await ended(job?.id)).toMatchObject({ state: DONE, matched: 44, retried: 44, refused: 0, skipped: 1 });
    const retries = (await retriesIn(workflow)).filter(({ _id }) => _id !== retried);
    expect(retries.map(({ retry }) => retry?.of).sort()).toEqual(ids.filter((id) => id !== ids[7]).sort());
    expect(retries.map(({ retry }) => retry?.of)).not.toContain(later);
  });

  it('filters by the time of acceptance and by the status', async () => {
    const workflow = stack.workflows.add();
    const [first = '', second = ''] = [await failed(workflow), await failed(workflow)];
    const good = await start(replica, workflow);
    await claim(replica, good);
    await replica.runner.report({ entries: [reportOf(good, 1)] });
    const timeOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    const count = async (over: Partial<RetryFilter>) =>
      (await startJob(filterOf(workflow, over), { dryRun: true })).matched;
    expect(await count({ from: timeOf(second) })).toBe(timeOf(first) < timeOf(second) ? 1 : 2);
    expect(await count({ to: timeOf(first) })).toBe(0);
    expect(await count({ status: ExecutionStatus.EXECUTION_STATUS_SUCCESS })).toBe(1);
    await expect(
      startJob(filterOf(workflow, { status: ExecutionStatus.EXECUTION_STATUS_RUNNING })),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(startJob(filterOf(workflow, { workflowId: 'x' }))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
  });

  it('continues after a crash, at another replica, and retries nothing twice', async () => {
    const workflow = stack.workflows.add();
    const ids = await failures(workflow, 8);
    const { job } = await startJob(filterOf(workflow));
    await ended(job?.id);
    // As after a crash between the retries and the write of the step: the cursor is the previous one.
    await jobs().updateOne(
      { _id: job?.id ?? '' },
      {
        $set: { state: 'running', after: '', retried: 0, dueAt: new Date(0) },
        $unset: { finishedAt: '', expireAt: '' },
      },
    );
    const other = await stack.startReplica({ SWEEP_MS: '250' });
    expect(await ended(job?.id)).toMatchObject({ state: DONE, retried: 8 });
    expect((await retriesIn(workflow)).map(({ retry }) => retry?.of).sort()).toEqual([...ids].sort());
    await other.stop();
  });

  it('reports which it could not retry and why, and retries the others', async () => {
    const workflow = stack.workflows.add();
    const [bad = '', ...good] = await failures(workflow, 4);
    await stack.database
      .collection<ExecutionRecord>('executions')
      .updateOne({ _id: bad }, { $set: { versionId: uuidv7() } });
    const { job } = await startJob(filterOf(workflow));
    expect(await ended(job?.id)).toMatchObject({
      retried: 3,
      refused: 1,
      refusals: [
        { executionId: bad, reason: 'RETRY_NOT_POSSIBLE', message: expect.stringContaining('current version') },
      ],
    });
    expect((await retriesIn(workflow)).map(({ retry }) => retry?.of).sort()).toEqual([...good].sort());
  });

  it('waits while the workflows service is unavailable, and loses no execution', async () => {
    const workflow = stack.workflows.add();
    await failures(workflow, 3);
    stack.workflows.isDown = true;
    const { job } = await startJob(filterOf(workflow));
    await until('a step without effect', async () =>
      (await jobs().findOne({ _id: job?.id ?? '', dueAt: { $gt: new Date() } })) === null ? undefined : true,
    );
    stack.workflows.isDown = false;
    await jobs().updateOne({ _id: job?.id ?? '' }, { $set: { dueAt: new Date(0) } });
    expect(await ended(job?.id)).toMatchObject({ retried: 3, refused: 0 });
  });

  it('is the same for the same key, and ends when it is cancelled', async () => {
    const workflow = stack.workflows.add();
    await failures(workflow, 2);
    const first = await startJob(filterOf(workflow), { idempotencyKey: 'job-1' });
    expect((await startJob(filterOf(workflow), { idempotencyKey: 'job-1' })).job?.id).toBe(first.job?.id);
    await expect(startJob(filterOf(workflow, { reason: 'X' }), { idempotencyKey: 'job-1' })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    const jobId = first.job?.id ?? '';
    await expect(
      replica.retries.cancelRetryJob({ jobId }, { principal: { userId: 'other', role: 'editor' } }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const { job } = await replica.retries.cancelRetryJob({ jobId }, { principal: OWNER });
    expect([RetryJobState.RETRY_JOB_STATE_CANCELLED, DONE]).toContain(job?.state);
    expect((await replica.retries.cancelRetryJob({ jobId }, { principal: OWNER })).job).toEqual(job);
    expect((await replica.retries.listRetryJobs({ limit: 1, cursor: '' }, { principal: OWNER })).jobs).toMatchObject([
      { id: jobId },
    ]);
    await expect(replica.retries.getRetryJob({ jobId: uuidv7() }, { principal: OWNER })).rejects.toMatchObject({
      reason: 'RETRY_JOB_NOT_FOUND',
    });
  });

  it('of an editor retries only executions of that editor', async () => {
    const editor = { userId: 'user-e', role: 'editor' as const };
    const own = await failed(stack.workflows.add({}, editor.userId));
    await failed(stack.workflows.add({}, 'somebody-else'));
    const { matched, job } = await startJob({ ...filterOf(stack.workflows.add()), workflowId: '' }, {}, editor);
    expect(matched).toBe(1);
    await ended(job?.id);
    expect(
      await stack.database
        .collection<ExecutionRecord>('executions')
        .find({ idempotencyKey: { $regex: `^job:${job?.id ?? ''}:` } })
        .toArray(),
    ).toMatchObject([{ retry: { of: own } }]);
  });

  it('is refused beyond 10,000 executions, which a dry run reports before', async () => {
    const workflow = stack.workflows.add();
    const executions = stack.database.collection<ExecutionRecord>('executions');
    const { _id, ...like } = (await stack.stored(await failed(workflow))) ?? { _id: '' };
    const base = Date.now() - 100_000;
    const idOf = (n: number): string => {
      const time = (base + n).toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
    };
    for (let from = 0; from < 10_000; from += 2_500) {
      await executions.insertMany(
        Array.from({ length: 2_500 }, (_, n) => Object.assign({}, like, { _id: idOf(from + n) }) as ExecutionRecord),
        { ordered: false },
      );
    }
    expect(await startJob(filterOf(workflow), { dryRun: true })).toEqual({ matched: 10_001, job: undefined });
    await expect(startJob(filterOf(workflow))).rejects.toMatchObject({
      reason: 'RETRY_TOO_MANY',
      details: { limit: '10000' },
    });
    await executions.deleteMany({ workflowId: workflow.workflowId });
    expect(_id).not.toBe('');
  });
});
