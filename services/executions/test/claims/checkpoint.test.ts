import { WriteOutcome } from '@weft/proto/runner';
import {
  claim,
  nodeRun,
  readData,
  reportOf,
  start,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED, WRITE_OUTCOME_REFUSED } = WriteOutcome;

describe('Checkpoint', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const entry = (
    executionId: string,
    checkpoint: number,
    nodeRuns = [nodeRun('A', checkpoint - 1)],
    engineState = Buffer.from(`state ${checkpoint}`),
  ) => ({ executionId, fence: 1, checkpoint, nodeRuns, engineState });
  const store = async (...entries: ReturnType<typeof entry>[]) =>
    (await replica.runner.checkpoint({ entries })).outcomes;
  const dataOf = (executionId: string) => readData(replica, executionId);

  it('stores node runs and engine state, in order, each number once', async () => {
    const executionId = await running();
    expect(await store(entry(executionId, 1))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await store(entry(executionId, 1))).toEqual([WRITE_OUTCOME_DUPLICATE]);
    expect(await store(entry(executionId, 3))).toEqual([WRITE_OUTCOME_FENCED]);
    expect(await store(entry(executionId, 2))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await stack.stored(executionId)).toMatchObject({ checkpoint: 2, nodeRunCount: 2, state: 'running' });
    expect((await stack.stored(executionId))?.engineState?.toString()).toBe('state 2');
  });

  it('is fenced for another fence, and changes nothing', async () => {
    const executionId = await running();
    expect(await store({ ...entry(executionId, 1), fence: 2 })).toEqual([WRITE_OUTCOME_FENCED]);
    expect(await stack.stored(executionId)).toMatchObject({ checkpoint: 0, nodeRunCount: 0 });
  });

  it('accepts two numbers of one execution in one call, in order', async () => {
    const executionId = await running();
    expect(await store(entry(executionId, 1), entry(executionId, 2))).toEqual([
      WRITE_OUTCOME_APPLIED,
      WRITE_OUTCOME_APPLIED,
    ]);
  });

  it(
    'stores results inline up to 64 KB in total, and moves them to the log above, compressed where that ' +
      'saves space',
    async () => {
      const executionId = await running();
      const noise = Array.from({ length: 6_000 }, () => Math.random().toString(36).slice(2)).join('');
      const record = { data: { main: [[{ json: { noise } }]] } };
      for (const number of [1, 2, 3, 4])
        expect(
          await store(entry(executionId, number, [nodeRun('A', number - 1, record, { run: number - 1 })])),
        ).toEqual([WRITE_OUTCOME_APPLIED]);
      const stored = await stack.stored(executionId);
      expect(stored?.inlineBytes).toBeLessThanOrEqual(65_536);
      expect([stored?.log?.map(({ count }) => count), stored?.manifest.map(({ count }) => count)]).toEqual([
        [2, 2],
        [],
      ]);
      const segments = await stack.database
        .collection('executionSegments')
        .find({ executionId })
        .sort({ _id: 1 })
        .toArray();
      expect(segments.map(({ position, segment }) => [position, segment.encoding])).toEqual([
        [0, 'zstd'],
        [1, 'zstd'],
      ]);
      expect((await dataOf(executionId)).resultData.runData.A).toEqual([record, record, record, record]);
    },
  );

  it('stores a large engine state as a chunk that the next runner reads', async () => {
    const executionId = await running();
    const state = Buffer.alloc(200_000, 'e');
    await store(entry(executionId, 1, [], state));
    await replica.runner.release({
      entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [], engineState: Buffer.alloc(0) }],
    });
    const again = await claim(replica, executionId);
    expect(again.engineState).toHaveLength(0);
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence: 2, chunkId: again.engineStateChunkId }))
      parts.push(data);
    expect(Buffer.concat(parts).equals(state)).toBe(true);
  });

  it('references chunks that were uploaded before, and is refused for a missing one', async () => {
    const executionId = await running();
    const record = Buffer.from(JSON.stringify({ big: 'b'.repeat(6 * 1024 * 1024) }));
    const pieces = Array.from({ length: Math.ceil(record.length / 500_000) }, (_, index) => ({
      executionId,
      fence: 1,
      chunkId: 'run-0',
      data: record.subarray(index * 500_000, (index + 1) * 500_000),
    }));
    expect(await replica.runner.putChunk(pieces)).toEqual({ outcome: WRITE_OUTCOME_APPLIED });
    expect(await replica.runner.putChunk(pieces)).toEqual({ outcome: WRITE_OUTCOME_DUPLICATE });
    const named = (chunkId: string) => [nodeRun('Big', 0, {}, { recordJson: Buffer.alloc(0), chunkId })];
    expect(await store(entry(executionId, 1, named('run-9')))).toEqual([WRITE_OUTCOME_REFUSED]);
    expect(await store(entry(executionId, 1, named('run-0')))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect((await stack.stored(executionId))?.dataBytes).toBe(record.length);
    await replica.runner.report({
      entries: [reportOf(executionId, 1, { checkpoint: 1, nodeRuns: [nodeRun('Small', 1)] })],
    });
    const { runData } = (await dataOf(executionId)).resultData;
    expect(runData.Big[0].big).toHaveLength(6 * 1024 * 1024);
    expect(Object.keys(runData)).toEqual(['Big', 'Small']);
  });

  it('ends the run with a specific reason when it has too many node runs', async () => {
    const executionId = await running();
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: executionId }, { $set: { nodeRunCount: 9_999 } });
    expect(await store(entry(executionId, 1))).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await store(entry(executionId, 2))).toEqual([WRITE_OUTCOME_FENCED]);
    expect(await stack.stored(executionId)).toMatchObject({ state: 'error', error: { reason: 'TOO_MANY_NODE_RUNS' } });
  });

  it('refuses number 0', async () => {
    expect(await store(entry(await running(), 0, []), entry(await running(), 1))).toEqual([
      WRITE_OUTCOME_REFUSED,
      WRITE_OUTCOME_APPLIED,
    ]);
  });
});
