import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { WriteOutcome } from '@weft/proto/runner';
import { queueConsumer } from '@weft/service-kit/testing';
import { claim, nodeRun, start, startTestStack, type Replica, type TestStack } from '../support/stack';

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED } = WriteOutcome;

describe('Release', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const entry = (executionId: string, fence = 1) => ({
    executionId,
    fence,
    checkpoint: 0,
    nodeRuns: [nodeRun('A', 0)],
    engineState: Buffer.from('half way'),
  });

  it('returns the run to the queue with its progress and without a crash, once', async () => {
    const executionId = await running();
    expect(
      (await replica.runner.release({ entries: [entry(executionId), entry(await running(), 5)] })).outcomes,
    ).toEqual([WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_FENCED]);
    expect((await replica.runner.release({ entries: [entry(executionId)] })).outcomes).toEqual([
      WRITE_OUTCOME_DUPLICATE,
    ]);
    expect(await stack.stored(executionId)).toMatchObject({
      state: 'queued',
      status: 'running',
      generation: 1,
      fence: 1,
      crashes: 0,
      nodeRunCount: 1,
      checkpoint: 1,
    });
    expect(await claim(replica, executionId)).toMatchObject({
      fence: 2,
      checkpoint: 1,
      engineState: Buffer.from('half way'),
    });
  });

  it('delays the next claim of a run by the requested time, up to a minute', async () => {
    const executionId = await running();
    const before = Date.now();
    expect(
      (await replica.runner.release({ entries: [{ ...entry(executionId), delayMs: 3_600_000 }] })).outcomes,
    ).toEqual([WRITE_OUTCOME_APPLIED]);
    const { notBefore, publishAt, crashes } = (await stack.stored(executionId)) ?? {};
    expect([notBefore, crashes]).toEqual([publishAt, 0]);
    expect(Math.abs((notBefore?.getTime() ?? 0) - before - 60_000)).toBeLessThan(5_000);
    await expect(claim(replica, executionId)).rejects.toThrow('refused');
  });

  it('is announced to the other runners at once', async () => {
    const executionId = await running();
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.purge(stack.queue.stream);
    await replica.runner.release({ entries: [entry(executionId)] });
    const message = await (await queueConsumer(stack.nats, stack.queue, stack.queue.overflow)).next({ expires: 5_000 });
    expect(decodeExecutionIds(message?.data ?? new Uint8Array())).toEqual([executionId]);
    message?.ack();
  });
});
