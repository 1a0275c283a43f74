import { WriteOutcome, type NodeRun, type ReportEntry } from '@weft/proto/runner';
import { pack } from '@weft/service-kit/packing';
import { randomBytes } from 'node:crypto';
import { readRuns } from '../../src/domain/data/node-runs';
import {
  claim,
  nodeRun,
  packedRuns,
  readData,
  reportOf,
  start,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

describe('records packed by a runner', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const checkpoint = (executionId: string, number: number, nodeRuns: NodeRun[]) =>
    replica.runner.checkpoint({
      entries: [{ executionId, fence: 1, checkpoint: number, nodeRuns, engineState: Buffer.from('s') }],
    });
  const APPLIED = { outcomes: [WriteOutcome.WRITE_OUTCOME_APPLIED] };
  const readDataOf = async (executionId: string) => (await readData(replica, executionId)).resultData.runData;
  const readRunsOf = async (executionId: string, skip = 0): Promise<NodeRun[]> => {
    const runs = [];
    for await (const { nodeRuns } of replica.runner.readNodeRuns({ executionId, fence: 1, skip }))
      runs.push(...nodeRuns);
    return runs;
  };
  const record = (seq: number, bytes = 40_000) => ({ seq, text: 't'.repeat(bytes) });
  const runOf = (seq: number, bytes?: number) => nodeRun(`N${seq % 2}`, seq, record(seq, bytes), { run: seq >> 1 });
  /** Records that hardly compress. */
  const noise = (seq: number) => nodeRun('N', seq, { seq, noise: randomBytes(40_000).toString('hex') }, { run: seq });
  const segmentsOf = (executionId: string) =>
    stack.database.collection('executionSegments').find({ executionId }).sort({ _id: 1 }).toArray();

  it('are stored in the document unchanged, and returned in order alongside others', async () => {
    const executionId = await running();
    const first = await packedRuns([runOf(0), runOf(1)]);
    const second = await packedRuns([runOf(2), runOf(3)]);
    await replica.runner.putChunk([{ executionId, fence: 1, chunkId: 'u', data: Buffer.from('{"seq":9}') }]);
    const uploaded = nodeRun('U', 9, {}, { recordJson: Buffer.alloc(0), chunkId: 'u' });
    const [begun, ...rest] = second;
    if (begun === undefined) throw new Error('Nothing was packed.');
    expect(await checkpoint(executionId, 1, [runOf(4, 3), ...first, begun, uploaded, ...rest, runOf(6, 3)])).toEqual(
      APPLIED,
    );
    const stored = await stack.stored(executionId);
    expect(stored?.manifest.map(({ encoding, count, rawBytes }) => [encoding, count, rawBytes > 80_000])).toEqual([
      ['plain', 1, false],
      ['zstd', 2, true],
      ['zstd', 3, true],
      ['plain', 1, false],
    ]);
    expect(stored?.manifest[1]?.bytes?.equals(first[0]?.packedRecords ?? Buffer.alloc(0))).toBe(true);
    expect([stored?.nodeRunCount, stored?.log]).toEqual([7, undefined]);
    expect(stored?.dataBytes).toBe(
      [record(4, 3), record(0), record(1), record(2), record(3), { seq: 9 }, record(6, 3)]
        .map((one) => JSON.stringify(one).length)
        .reduce((sum, length) => sum + length, 0),
    );
    expect(await readDataOf(executionId)).toEqual({
      N0: [record(4, 3), record(0), record(2), record(6, 3)],
      N1: [record(1), record(3)],
      U: [{ seq: 9 }],
    });
    const runs = await readRunsOf(executionId, 2);
    expect(runs.map(({ recordJson }) => JSON.parse(recordJson.toString()).seq)).toEqual([1, 2, 9, 3, 6]);
    expect(runs.some(({ packedBytes }) => packedBytes !== undefined)).toBe(false);
  });

  it('move to the log unchanged, including those of an earlier checkpoint, and small ones are joined', async () => {
    const executionId = await running();
    const small = [nodeRun('S', 0, { small: 's'.repeat(5_000) }), nodeRun('S', 1, { small: 2 }, { run: 1 })];
    const first = await packedRuns([runOf(2), runOf(3)]);
    const large = await packedRuns([noise(4), noise(5)]);
    for (const [index, nodeRuns] of [...small.map((one) => [one]), first, large].entries())
      expect(await checkpoint(executionId, index + 1, nodeRuns)).toEqual(APPLIED);
    const stored = await stack.stored(executionId);
    expect([stored?.manifest, stored?.log?.map(({ count }) => count)]).toEqual([[], [2, 2, 2]]);
    const segments = await segmentsOf(executionId);
    expect(segments.slice(1).map(({ segment }) => Buffer.from(segment.bytes.buffer))).toEqual(
      [first, large].map(([one]) => one?.packedRecords),
    );
    expect(readRuns(segments[2]?.['segment']).map(({ executionIndex }) => executionIndex)).toEqual([4, 5]);
    expect((await readRunsOf(executionId)).map(({ recordJson }) => recordJson.length)).toEqual(
      [...small, runOf(2), runOf(3), noise(4), noise(5)].map(({ recordJson }) => recordJson.length),
    );
  });

  it.each([
    ['expand to more than their runs name', Buffer.alloc(4_000_000, ' '), 100_000],
    ['expand to less', Buffer.alloc(100_000, ' '), 1_000_000],
    ['are no frame', undefined, 100_000],
  ])('are reported as damaged if they %s, without affecting others', async (_, raw, named) => {
    const bytes = raw === undefined ? Buffer.from('no frame') : (await pack(raw)).bytes;
    const executionId = await running();
    const damaged = { ...nodeRun('A', 0), recordJson: Buffer.alloc(0), packedBytes: named, packedRecords: bytes };
    expect(await checkpoint(executionId, 1, [damaged])).toEqual(APPLIED);
    expect(await checkpoint(executionId, 2, await packedRuns([noise(1), noise(2)]))).toEqual(APPLIED);
    const end = reportOf(executionId, 1, { checkpoint: 2, nodeRuns: [nodeRun('B', 3)] });
    expect(await replica.runner.report({ entries: [end] })).toEqual(APPLIED);
    await expect(readDataOf(executionId)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    expect((await stack.completed(executionId)).state).toBe('success');
  });

  it('of other runs are stored by a call with damaged ones, and remain readable', async () => {
    const bomb = { packedBytes: 100_000, packedRecords: (await pack(Buffer.alloc(60_000_000, ' '))).bytes };
    const noFrame = { packedBytes: 100_000, packedRecords: Buffer.from('no frame') };
    const damagedRuns = [bomb, noFrame].map((fields) => [
      { ...nodeRun('A', 0), recordJson: Buffer.alloc(0), ...fields },
    ]);
    const healthyRuns = [await packedRuns([runOf(0), runOf(1)]), await packedRuns([noise(0), noise(1)])];
    const runs = [healthyRuns[0], damagedRuns[0], healthyRuns[1], damagedRuns[1]].map((nodeRuns) => nodeRuns ?? []);
    const entries: ReportEntry[] = [];
    for (const nodeRuns of runs) entries.push(reportOf(await running(), 1, { nodeRuns }));
    expect(await replica.runner.report({ entries })).toEqual({ outcomes: entries.map(() => APPLIED.outcomes[0]) });
    const [plain, , noisy] = entries.map(({ executionId }) => executionId);
    if (plain === undefined || noisy === undefined) throw new Error('Nothing was reported.');
    const alone = [await readDataOf(plain), await readDataOf(noisy)];
    expect(alone.map((data) => Object.keys(data))).toEqual([['N0', 'N1'], ['N']]);
    const rounds = Array.from({ length: 10 }, () =>
      Promise.allSettled(entries.map(({ executionId }) => readDataOf(executionId))),
    );
    for (const [first, bombed, second, torn] of await Promise.all(rounds)) {
      expect([first, second]).toEqual(alone.map((value) => ({ status: 'fulfilled', value })));
      for (const damaged of [bombed, torn])
        expect(damaged).toMatchObject({ status: 'rejected', reason: { reason: 'CHUNK_NOT_FOUND' } });
    }
  });
});
