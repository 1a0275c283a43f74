import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { claim, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('ReadBinary', () => {
  let stack: TestStack;
  let replica: Replica;
  let ahead = 0;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' }, () => Date.now() + ahead);
  });
  afterAll(() => stack.stop());

  const started = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const put = async (executionId: string, bytes: Buffer): Promise<string> => {
    const chunkId = `file-${uuidv7()}`;
    const head = { executionId, fence: 1, chunkId, mimeType: 'text/csv', fileName: 'rows.csv' };
    await replica.runner.putChunk([
      { ...head, data: bytes.subarray(0, 1_000_000) },
      { ...head, data: bytes.subarray(1_000_000) },
    ]);
    return `${executionId}.1.${chunkId}`;
  };
  const read = async (executionId: string, ref: string) => {
    const pieces = [];
    for await (const piece of replica.executions.readBinary({ executionId, fileId: ref }, { principal: OWNER }))
      pieces.push(piece);
    // Clients of other languages refuse messages of more than 4 MiB by default.
    for (const { data } of pieces) expect(data.length).toBeLessThan(1024 * 1024);
    return { bytes: Buffer.concat(pieces.map(({ data }) => data)), head: pieces[0] };
  };

  it('streams a file with its type and name, while the execution runs and after', async () => {
    const executionId = await started();
    const bytes = Buffer.alloc(5_000_000, 'weft');
    const ref = await put(executionId, bytes);
    expect((await read(executionId, ref)).bytes.equals(bytes)).toBe(true);
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    expect((await read(executionId, ref)).head).toMatchObject({ mimeType: 'text/csv', fileName: 'rows.csv' });
  });

  it('returns the file to a later claim of the execution', async () => {
    const executionId = await started();
    const ref = await put(executionId, Buffer.from('kept'));
    await replica.runner.release({
      entries: [{ executionId, fence: 1, checkpoint: 0, nodeRuns: [], engineState: Buffer.from('{}') }],
    });
    const { fence } = await claim(replica, executionId, 'runner-2');
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence, chunkId: ref })) parts.push(data);
    expect([fence, Buffer.concat(parts).toString()]).toEqual([2, 'kept']);
  });

  it('returns an empty file', async () => {
    const executionId = await started();
    await replica.runner.putChunk([
      { executionId, fence: 1, chunkId: 'file-empty', data: Buffer.alloc(0), mimeType: 'text/plain' },
    ]);
    expect(await read(executionId, `${executionId}.1.file-empty`)).toMatchObject({
      bytes: Buffer.alloc(0),
      head: { mimeType: 'text/plain' },
    });
  });

  it('is shared between a parent and its child', async () => {
    const parentId = await started();
    const ref = await put(parentId, Buffer.from('shared'));
    const { childExecutionId } = await replica.runner.startChild({
      runnerId: 'runner-1',
      parentExecutionId: parentId,
      fence: 1,
      node: 'Call',
      run: 0,
      item: 0,
      workflowId: stack.workflows.add({ settings: { callerPolicy: 'any' } }).workflowId,
      input: Buffer.alloc(0),
      knownVersionIds: [],
      detached: false,
    });
    expect((await read(childExecutionId, ref)).bytes.toString()).toBe('shared');
    const back = await put(childExecutionId, Buffer.from('answer'));
    expect((await read(parentId, back)).bytes.toString()).toBe('answer');
  });

  it('refuses files of unrelated executions, other chunks, and malformed execution ids', async () => {
    const mine = await started();
    const other = await started();
    const ref = await put(other, Buffer.from('secret'));
    await replica.runner.putChunk([{ executionId: mine, fence: 1, chunkId: 'run-0', data: Buffer.from('{}') }]);
    await expect(read(mine, ref)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    await expect(read(mine, `${mine}.1.run-0`)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    await expect(read(mine, '1.upload-run-0')).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
    await expect(read(uuidv7(), ref)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
  });

  it('keeps files of ended executions without a time limit, and deletes them with the execution', async () => {
    const executionId = await started();
    const ref = await put(executionId, Buffer.from('kept'));
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    const chunks = stack.database.collection('executionChunks');
    ahead += 2 * 86_400_000;
    await until(
      'the file was looked at',
      async () => (await chunks.countDocuments({ executionId, reviewAt: { $exists: true } })) === 0,
    );
    expect((await read(executionId, ref)).bytes.toString()).toBe('kept');
    await replica.executions.deleteExecution({ executionId }, { principal: OWNER });
    expect(await chunks.countDocuments({ executionId })).toBe(0);
  });
});
