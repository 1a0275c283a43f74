import { randomBytes } from 'node:crypto';
import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const DAY = 86_400_000;

describe('the retention of executions', () => {
  let stack: TestStack;
  let replica: Replica;
  let ahead = 0;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250', RETENTION_DAYS: '14' }, () => Date.now() + ahead);
  });
  afterAll(() => stack.stop());
  beforeEach(() => {
    stack.workflows.isDown = false;
  });
  const running = async (workflow: FakeWorkflow): Promise<string> => {
    const { started } = await replica.executions.startExecution({ start: webhookStartOf(workflow) });
    return (await claim(replica, started?.executionId ?? '')).executionId;
  };
  const rowsOf = async (executionId: string): Promise<number> =>
    (await stack.database.collection('executionChunks').countDocuments({ executionId })) +
    (await stack.database.collection('executionSegments').countDocuments({ executionId }));
  const isGone = (executionId: string) =>
    until('the execution was deleted', async () => (await stack.stored(executionId)) === undefined, 20_000);
  const expiry = async (executionId: string): Promise<number | undefined> => {
    const record = await stack.stored(executionId);
    return record?.expireAt === undefined || record.finishedAt === undefined
      ? undefined
      : record.expireAt.getTime() - record.finishedAt.getTime();
  };

  it('ends after the days of the instance: record, chunks and segments are deleted, and no others', async () => {
    const old = await running(stack.workflows.add());
    await replica.runner.putChunk([{ executionId: old, fence: 1, chunkId: 'file-a', data: Buffer.from('a') }]);
    const large = nodeRun('A', 0, { noise: randomBytes(100_000).toString('hex') });
    await replica.runner.report({ entries: [reportOf(old, 1, { nodeRuns: [large] })] });
    expect([await rowsOf(old), await expiry(old)]).toEqual([2, 14 * DAY]);
    ahead += 13 * DAY;
    const young = await running(stack.workflows.add());
    await replica.runner.report({ entries: [reportOf(young, 1, { nodeRuns: [large] })] });
    ahead += DAY + 1_000;
    await isGone(old);
    expect([await rowsOf(old), await rowsOf(young), (await stack.stored(young))?.state]).toEqual([0, 1, 'success']);
  });

  it.each([
    [{ days: 2 }, 2 * DAY],
    [{ days: 0 }, undefined],
  ])('is what the workflow says, however its run ends: %j', async (retention, expected) => {
    const workflow = stack.workflows.add({ settings: { retention } });
    const [good, bad, cancelled] = [await running(workflow), await running(workflow), await running(workflow)];
    await replica.runner.report({ entries: [reportOf(good, 1), failedReportOf(bad, 1)] });
    await replica.executions.cancelExecution({ executionId: cancelled }, { principal: OWNER });
    expect([await expiry(good), await expiry(bad), await expiry(cancelled)]).toEqual([expected, expected, expected]);
  });

  it('is limited to the newest executions of the workflow, and those that have not ended', async () => {
    const workflow = stack.workflows.add({ settings: { retention: { count: 3 } } });
    const other = await running(stack.workflows.add());
    const all: string[] = [];
    const live = await start(replica, workflow);
    for (let n = 0; n < 6; n += 1) all.push(await running(workflow));
    await replica.runner.report({ entries: [...all, other].map((executionId) => reportOf(executionId, 1)) });
    ahead += 61_000;
    for (const executionId of all.slice(0, 3)) await isGone(executionId);
    expect(
      (await Promise.all([live, other, ...all.slice(3)].map((id) => stack.stored(id)))).map((record) => record?.state),
    ).toEqual(['queued', 'success', 'success', 'success', 'success']);
  });

  it('does not end before the completion hooks have run', async () => {
    const handler = stack.workflows.add({ nodes: [{ name: 'On error', type: 'n8n-nodes-base.errorTrigger' }] }, 'o');
    const failed = await running(
      stack.workflows.add({ settings: { errorWorkflow: handler.workflowId, retention: { days: 1 } } }, 'o'),
    );
    stack.workflows.isDown = true;
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    ahead += DAY + 1_000;
    await until('it was found expired and left', async () => ((await expiry(failed)) ?? 0) > DAY, 20_000);
    stack.workflows.isDown = false;
    // Longer than an action waits for its next try, shorter than an expired record is kept: it must still exist.
    ahead += 120_000;
    await until(
      'its error workflow is started',
      () =>
        stack.database
          .collection('executions')
          .findOne({ idempotencyKey: `err:${failed}` })
          .then((found) => found !== null),
      20_000,
    );
    await until('nothing is left to do', async () =>
      (await stack.stored(failed))?.postRunActions.every(({ due }) => due === undefined),
    );
    ahead += 3_600_000;
    await isGone(failed);
  });

  it('ends at a deletion for every caller, but completion hooks still run', async () => {
    const handler = stack.workflows.add({ nodes: [{ name: 'On error', type: 'n8n-nodes-base.errorTrigger' }] }, 'o');
    const workflow = stack.workflows.add({ settings: { errorWorkflow: handler.workflowId } }, 'o');
    const failed = await running(workflow);
    stack.workflows.isDown = true;
    await replica.runner.report({
      entries: [
        failedReportOf(failed, 1, { nodeRuns: [nodeRun('A', 0, { noise: randomBytes(100_000).toString('hex') })] }),
      ],
    });
    await replica.executions.deleteExecution({ executionId: failed }, { principal: OWNER });
    await expect(replica.executions.getExecution({ executionId: failed }, { principal: OWNER })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
    });
    const list = await replica.executions.listExecutions(
      { limit: 10, cursor: '', workflowId: workflow.workflowId, status: 0 },
      { principal: OWNER },
    );
    expect([list.executions, await rowsOf(failed)]).toEqual([[], 0]);
    stack.workflows.isDown = false;
    // Longer than an action waits for its next try, shorter than an expired record is kept: it must still exist.
    ahead += 120_000;
    await until(
      'its error workflow is started',
      () =>
        stack.database
          .collection('executions')
          .findOne({ idempotencyKey: `err:${failed}` })
          .then((found) => found !== null),
      20_000,
    );
    // A deleted execution may be purged as soon as that is done.
    await until('nothing is left to do', async () => {
      const record = await stack.stored(failed);
      return record === undefined || record.postRunActions.every(({ due }) => due === undefined);
    });
    ahead += 3_600_000;
    await isGone(failed);
  });

  it('lasts for called executions, and their files, while their caller still runs', async () => {
    const parentId = await claim(replica, await start(replica, stack.workflows.add({}, 'o'))).then(
      ({ executionId }) => executionId,
    );
    const child = stack.workflows.add({ settings: { saveDataSuccessExecution: 'none' } }, 'o');
    const { childExecutionId } = await replica.runner.startChild({
      runnerId: 'r',
      parentExecutionId: parentId,
      fence: 1,
      node: 'Call',
      run: 0,
      item: 0,
      workflowId: child.workflowId,
      input: Buffer.alloc(0),
      knownVersionIds: [],
      detached: false,
    });
    await replica.runner.putChunk([
      {
        executionId: childExecutionId,
        fence: 1,
        chunkId: 'file-f',
        data: Buffer.from('shared'),
        mimeType: 'text/plain',
      },
    ]);
    await replica.runner.report({ entries: [reportOf(childExecutionId, 1)] });
    await stack.completed(childExecutionId);
    await replica.runner.wait({
      entries: [
        {
          executionId: parentId,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'W',
          resumeTokenHash: 'f'.repeat(64),
          childExecutionId: '',
        },
      ],
    });
    ahead += 3 * 3_600_000;
    await until(
      'it was found expired and left',
      async () => ((await expiry(childExecutionId)) ?? 0) > 3 * 3_600_000,
      20_000,
    );
    const parts: Buffer[] = [];
    for await (const { data } of replica.executions.readBinary(
      { executionId: parentId, fileId: `${childExecutionId}.1.file-f` },
      { principal: OWNER },
    ))
      parts.push(data);
    expect(Buffer.concat(parts).toString()).toBe('shared');
    await replica.executions.cancelExecution({ executionId: parentId }, { principal: OWNER });
    ahead += 3_600_000;
    await isGone(childExecutionId);
    expect(await rowsOf(childExecutionId)).toBe(0);
  });
});

describe('the time limit of runs', () => {
  let stack: TestStack;
  let replica: Replica;
  let ahead = 0;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica(
      { SWEEP_MS: '50', EXECUTION_TIMEOUT_HOURS: '2', WAIT_TIMEOUT_DAYS: '10' },
      () => Date.now() + ahead,
    );
  });
  afterAll(() => stack.stop());
  const HOUR = 3_600_000;
  const running = async (settings: object): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add({ settings })))).executionId;
  const lasts = async (executionId: string): Promise<number | undefined> => {
    const record = await stack.stored(executionId);
    return record?.deadlineAt === undefined ? undefined : record.deadlineAt.getTime() - record.createdAt.getTime();
  };
  const wait = async (executionId: string, resumeAt?: Date) => {
    await replica.runner.wait({
      entries: [
        {
          executionId,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'W',
          resumeAt,
          resumeTokenHash: resumeAt === undefined ? 'e'.repeat(64) : '',
          childExecutionId: '',
        },
      ],
    });
    expect((await stack.stored(executionId))?.state).toBe('waiting');
  };

  it('is that of the instance, unless the workflow sets or disables it', async () => {
    const [plain, own, none, zero] = [
      await running({}),
      await running({ executionTimeout: 60 }),
      await running({ executionTimeout: -1 }),
      await running({ executionTimeout: 0 }),
    ];
    expect(await Promise.all([plain, own, none, zero].map(lasts))).toEqual([2 * HOUR, 60_000, undefined, undefined]);
    ahead += 2 * HOUR + 1_000;
    for (const executionId of [plain, own]) {
      const ended = await until('the run is ended', async () => {
        const record = await stack.stored(executionId);
        return record?.state === 'error' && record;
      });
      expect(ended.error?.reason).toBe('TIMED_OUT');
    }
    expect((await stack.stored(none))?.state).not.toBe('error');
  });

  it('excludes the time of waits, which have a separate limit; a limit of the workflow includes it', async () => {
    const [short, long, call, own, none] = [
      await running({}),
      await running({}),
      await running({}),
      await running({ executionTimeout: 60 }),
      await running({ executionTimeout: -1 }),
    ];
    const now = Date.now() + ahead;
    await wait(short, new Date(now + 5 * 24 * HOUR));
    await wait(long, new Date(now + 30 * 24 * HOUR));
    await wait(call);
    await wait(own, new Date(now + HOUR));
    await wait(none, new Date(now + 90 * 24 * HOUR));
    const days = (await Promise.all([short, long, call, own, none].map(lasts))).map((ms) =>
      ms === undefined ? undefined : Math.round((ms / (24 * HOUR)) * 10) / 10,
    );
    expect(days).toEqual([5.1, 10.1, 10.1, 0, undefined]);
  });
});
