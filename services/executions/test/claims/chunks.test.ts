import { WriteOutcome } from '@weft/proto/runner';
import { claim, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('PutChunk and GetChunk', () => {
  let stack: TestStack;
  let replica: Replica;
  let executionId: string;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    ({ executionId } = await claim(replica, await start(replica, stack.workflows.add())));
  });
  afterAll(() => stack.stop());
  const pieces = (chunkId: string, count: number, fence = 1) =>
    Array.from({ length: count }, (_, n) => ({ executionId, fence, chunkId, data: Buffer.alloc(1_000_000, n + 1) }));
  const get = async (chunkId: string, fence = 1): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence, chunkId })) parts.push(data);
    return Buffer.concat(parts);
  };

  it('return the stored bytes, in parts of at most 4 MiB', async () => {
    expect(await replica.runner.putChunk(pieces('ten', 10))).toEqual({ outcome: WriteOutcome.WRITE_OUTCOME_APPLIED });
    expect((await get('ten')).equals(Buffer.concat(pieces('ten', 10).map(({ data }) => data)))).toBe(true);
    const parts = await stack.database
      .collection('executionChunks')
      .find({ executionId, reference: '1.upload-ten' })
      .toArray();
    expect(parts).toHaveLength(3);
  });

  it('change nothing when an upload is repeated', async () => {
    await replica.runner.putChunk(pieces('twice', 2));
    expect(await replica.runner.putChunk(pieces('twice', 1))).toEqual({
      outcome: WriteOutcome.WRITE_OUTCOME_DUPLICATE,
    });
    expect(await get('twice')).toHaveLength(2_000_000);
  });

  it('make no part of an interrupted upload readable', async () => {
    const broken = async function* () {
      yield* pieces('broken', 5);
      throw new Error('the runner died');
    };
    await expect(replica.runner.putChunk(broken())).rejects.toThrow();
    await expect(get('broken')).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    expect(await replica.runner.putChunk(pieces('broken', 5))).toEqual({ outcome: WriteOutcome.WRITE_OUTCOME_APPLIED });
    expect(await get('broken')).toHaveLength(5_000_000);
  });

  it('refuse uploads and chunks without the claim, too large uploads, and malformed names', async () => {
    expect(await replica.runner.putChunk(pieces('a', 1, 2))).toEqual({ outcome: WriteOutcome.WRITE_OUTCOME_FENCED });
    await expect(get('ten', 2)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    await expect(replica.runner.putChunk(pieces('huge', 34), { deadlineMs: 25_000 })).rejects.toMatchObject({
      reason: 'PAYLOAD_TOO_LARGE',
    });
    await expect(replica.runner.putChunk(pieces('a/b', 1))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(get('../x')).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
  });

  it('are limited for the whole execution', async () => {
    const { executionId: full } = await claim(replica, await start(replica, stack.workflows.add()));
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: full }, { $set: { uploadedBytes: 511 * 1024 * 1024 } });
    const upload = (chunkId: string, count: number) =>
      replica.runner.putChunk(pieces(chunkId, count).map((piece) => ({ ...piece, executionId: full })));
    await expect(upload('over', 2)).rejects.toMatchObject({
      reason: 'PAYLOAD_TOO_LARGE',
      details: { limit: 'UPLOADED_BYTES' },
    });
    expect(await upload('within', 1)).toEqual({ outcome: WriteOutcome.WRITE_OUTCOME_APPLIED });
    expect((await stack.stored(full))?.uploadedBytes).toBe(511 * 1024 * 1024 + 1_000_000);
  });

  it('detect a damaged part', async () => {
    await replica.runner.putChunk(pieces('hurt', 1));
    await stack.database
      .collection('executionChunks')
      .updateOne({ reference: '1.upload-hurt' }, { $set: { bytes: Buffer.alloc(1_000_000, 9) } });
    await expect(get('hurt')).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
  });
});
