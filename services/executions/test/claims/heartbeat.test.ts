import { HeartbeatOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { claim, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

const { HEARTBEAT_OUTCOME_HELD, HEARTBEAT_OUTCOME_LOST, HEARTBEAT_OUTCOME_CANCELLED } = HeartbeatOutcome;

describe('Heartbeat', () => {
  let stack: TestStack;
  let replica: Replica;
  let now = Date.now();
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({}, () => now);
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const beat = async (...held: { executionId: string; fence: number }[]) =>
    (await replica.runner.heartbeat({ runnerId: 'runner-1', held })).outcomes;

  it('renews the lease of held claims, and distinguishes lost and cancelled ones, in order', async () => {
    const [held, ended, cancelled] = [await running(), await running(), await running()];
    await replica.runner.report({ entries: [reportOf(ended, 1)] });
    await replica.executions.cancelExecution({ executionId: cancelled }, { principal: OWNER });
    now += 10_000;
    const outcomes = await beat(
      { executionId: held, fence: 1 },
      { executionId: held, fence: 2 },
      { executionId: ended, fence: 1 },
      { executionId: cancelled, fence: 1 },
      { executionId: uuidv7(), fence: 1 },
    );
    expect(outcomes).toEqual([
      HEARTBEAT_OUTCOME_HELD,
      HEARTBEAT_OUTCOME_LOST,
      HEARTBEAT_OUTCOME_LOST,
      HEARTBEAT_OUTCOME_CANCELLED,
      HEARTBEAT_OUTCOME_LOST,
    ]);
    expect((await stack.stored(held))?.lease?.until.getTime()).toBe(now + 30_000);
  });

  it('reports a claim as lost if it was lost before the execution was cancelled', async () => {
    const executionId = await running();
    const state = { checkpoint: 0, nodeRuns: [], engineState: Buffer.alloc(0) };
    await replica.runner.release({ entries: [{ executionId, fence: 1, ...state }] });
    await claim(replica, executionId, 'runner-2');
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    expect(await beat({ executionId, fence: 1 }, { executionId, fence: 2 })).toEqual([
      HEARTBEAT_OUTCOME_LOST,
      HEARTBEAT_OUTCOME_CANCELLED,
    ]);
  });

  it('is lost once the execution was deleted', async () => {
    const executionId = await running();
    await replica.executions.deleteExecution({ executionId }, { principal: OWNER });
    expect(await beat({ executionId, fence: 1 })).toEqual([HEARTBEAT_OUTCOME_LOST]);
  });

  it('does not delay another replica that renews the same claims in another order', async () => {
    const other = await stack.startReplica({}, () => now);
    const workflow = stack.workflows.add();
    const ids = await Promise.all(Array.from({ length: 150 }, () => start(replica, workflow)));
    const claims = await Promise.all(
      ids.map(async (id) => ({ executionId: (await claim(replica, id)).executionId, fence: 1 })),
    );
    const orders = [claims, claims.toReversed(), [...claims.slice(75), ...claims.slice(0, 75)]];
    for (let round = 0; round < 3; round += 1) {
      now += 1_000;
      const beats = [replica, other, replica, other].map((at, index) =>
        at.runner.heartbeat({ runnerId: 'runner-1', held: [...(orders[index % orders.length] ?? [])] }),
      );
      const outcomes = (await Promise.all(beats)).flatMap((one) => one.outcomes);
      expect(new Set(outcomes)).toEqual(new Set([HEARTBEAT_OUTCOME_HELD]));
    }
  });
});
