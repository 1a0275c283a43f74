import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const VIEWER = { userId: 'u1', role: 'viewer' } as const;
const ADMIN = { userId: 'u2', role: 'admin' } as const;

describe('ListLatestExecutions', () => {
  let stack: TestStack;
  let replica: Replica;
  let one: FakeWorkflow;
  let two: FakeWorkflow;
  const ofOne: string[] = [];
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    [one, two] = [stack.workflows.add(), stack.workflows.add()];
    for (let n = 0; n < 14; n += 1) ofOne.unshift(await start(replica, one));
    await start(replica, two);
  });
  afterAll(() => stack.stop());
  const latest = (workflowIds: string[], each = 0) =>
    replica.executions.listLatestExecutions({ workflowIds, each }, { principal: VIEWER });

  it('returns the newest executions of each workflow, newest first, and omits workflows without any', async () => {
    const { workflows } = await latest([one.workflowId, two.workflowId, uuidv7()], 3);
    const found = new Map(workflows.map(({ workflowId, executions }) => [workflowId, executions.map(({ id }) => id)]));
    expect([...found.keys()].sort()).toEqual([one.workflowId, two.workflowId].sort());
    expect(found.get(one.workflowId)).toEqual(ofOne.slice(0, 3));
    expect(found.get(two.workflowId)).toHaveLength(1);
  });

  it('returns 12 of each if no number is given', async () => {
    const { workflows } = await latest([one.workflowId]);
    expect(workflows[0]?.executions).toHaveLength(12);
  });

  it('refuses no workflow, more than 50, and more than 12 of each', async () => {
    const many = Array.from({ length: 51 }, () => uuidv7());
    for (const call of [latest([]), latest(many), latest([one.workflowId], 13)])
      await expect(call).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });
});

describe('GetExecutionCounts', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  it('counts what has not ended, and failures of the last hour', async () => {
    const workflow = stack.workflows.add();
    const ids = [await start(replica, workflow), await start(replica, workflow), await start(replica, workflow)];
    const [failed = '', running = ''] = ids;
    await claim(replica, failed);
    await claim(replica, running);
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    const counts = await replica.executions.getExecutionCounts({}, { principal: ADMIN });
    expect(counts).toMatchObject({ queued: 1, running: 1, waiting: 0, failedLastHour: 1 });
    expect(counts.oldestQueuedAt).toBeInstanceOf(Date);
  });

  it('is refused to editors and viewers', async () => {
    await expect(replica.executions.getExecutionCounts({}, { principal: VIEWER })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
