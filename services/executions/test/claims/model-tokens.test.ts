import { ExecutionStatus } from '@weft/proto/executions';
import { uuidv7 } from '@weft/service-kit/ids';
import { claim, nodeRun, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('CountModelTokens', () => {
  let stack: TestStack;
  let replicas: readonly [Replica, Replica];
  /** 2026-12-01, an hour before midnight. */
  let now = Date.UTC(2026, 11, 1, 23);
  beforeAll(async () => {
    stack = await startTestStack();
    replicas = [await stack.startReplica({}, () => now), await stack.startReplica({}, () => now)];
  });
  afterAll(() => stack.stop());

  /** A claimed execution of a new owner. */
  const running = async (ownerId = uuidv7()): Promise<{ readonly executionId: string; readonly fence: number }> => {
    const workflow = stack.workflows.add({}, ownerId);
    const { executionId, fence } = await claim(replicas[0], await start(replicas[0], workflow));
    return { executionId, fence };
  };
  const count = (
    held: { readonly executionId: string; readonly fence: number },
    tokens: number,
    limit?: number,
    at = 0,
  ) => (replicas[at] ?? replicas[0]).runner.countModelTokens({ ...held, tokens, limit });

  it('counts for the owner at all replicas, up to the limit and not beyond it', async () => {
    const ownerId = uuidv7();
    const [one, other] = [await running(ownerId), await running(ownerId)];
    expect(await count(one, 60, 100)).toMatchObject({ counted: true, used: 60 });
    expect(await count(other, 41, 100, 1)).toEqual({
      counted: false,
      used: 60,
      resetAt: new Date(Date.UTC(2026, 11, 2)),
    });
    expect(await count(other, 40, 100, 1)).toMatchObject({ counted: true, used: 100 });
    expect(await count(one, 0, 100)).toMatchObject({ counted: false, used: 100 });
    expect(await count(await running(), 100, 100)).toMatchObject({ counted: true, used: 100 });
  });

  it('refuses a call that alone exceeds the limit', async () => {
    expect(await count(await running(), 101, 100)).toMatchObject({ counted: false, used: 0 });
  });

  it('counts the difference to what a call used, whatever the limit', async () => {
    const held = await running();
    await count(held, 100, 100);
    expect(await count(held, 50)).toMatchObject({ counted: true, used: 150 });
    expect(await count(held, -70)).toMatchObject({ counted: true, used: 80 });
    expect(await count(held, -200)).toMatchObject({ used: 80 });
  });

  it('never exceeds the limit by calls at the same time', async () => {
    const ownerId = uuidv7();
    const held = [await running(ownerId), await running(ownerId)];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, at) => count(held[at % 2] ?? { executionId: '', fence: 0 }, 10, 100, at % 2)),
    );
    expect(results.filter(({ counted }) => counted)).toHaveLength(10);
    expect(Math.max(...results.map(({ used }) => used))).toBe(100);
  });

  it('begins again at midnight (UTC), for each replica as its clock says', async () => {
    const ownerId = uuidv7();
    await count(await running(ownerId), 100, 100);
    now += 3_600_000;
    const next = { counted: true, used: 10, resetAt: new Date(Date.UTC(2026, 11, 3)) };
    expect(await count(await running(ownerId), 10, 100)).toEqual(next);
    // a replica whose clock is behind
    now -= 1_000;
    expect(await count(await running(ownerId), 10, 100)).toMatchObject({ counted: true, used: 20 });
  });

  it('refuses a caller without the claim', async () => {
    const held = await running();
    await expect(count({ ...held, fence: held.fence + 1 }, 1, 10)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
  });
});

describe('the calls and tokens of an execution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const usage = (calls: number) => ({
    calls,
    inputTokens: 10 * calls,
    outputTokens: calls,
    totalTokens: 11 * calls,
    cost: calls / 4,
    unpricedModels: ['own'],
  });

  it('are those that its runner reported last, in the execution and in lists', async () => {
    const workflow = stack.workflows.add();
    const { executionId } = await claim(replica, await start(replica, workflow));
    const read = async () =>
      (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution?.modelUsage;
    expect(await read()).toBeUndefined();
    const entry = { executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('x') };
    await replica.runner.checkpoint({ entries: [{ ...entry, modelUsage: usage(1) }] });
    expect(await read()).toEqual(usage(1));
    await replica.runner.checkpoint({
      entries: [{ ...entry, checkpoint: 2, nodeRuns: [nodeRun('A', 1)] }],
    });
    expect(await read()).toEqual(usage(1));
    await replica.runner.report({ entries: [reportOf(executionId, 1, { checkpoint: 2, modelUsage: usage(3) })] });
    expect(await read()).toEqual(usage(3));
    const page = {
      workflowId: workflow.workflowId,
      limit: 10,
      cursor: '',
      status: ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED,
    };
    const { executions } = await replica.executions.listExecutions(page, { principal: OWNER });
    expect(executions.map(({ modelUsage }) => modelUsage)).toEqual([usage(3)]);
  });
});
