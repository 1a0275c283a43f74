import { createHash } from 'node:crypto';
import { uuidv7 } from '@weft/service-kit/ids';
import { claim, OWNER, start, startTestStack, webhookStartOf, type Replica, type TestStack } from '../support/stack';

describe('PutInputFile', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const upload = async function* (executionId: string, parts: readonly Buffer[], fileKey = 'a1') {
    for (const data of parts) yield { executionId, fileKey, mimeType: 'text/plain', fileName: 'note.txt', data };
  };
  // A file above the limit takes long to send on a busy machine.
  const put = (executionId: string, parts: readonly Buffer[], fileKey?: string) =>
    replica.executions.putInputFile(upload(executionId, parts, fileKey), { deadlineMs: 60_000 });

  it('stores a file before its execution exists, and the run can read it', async () => {
    const executionId = uuidv7();
    const { fileId, size } = await put(executionId, [Buffer.from('hello '), Buffer.alloc(5_000_000, 'x')]);
    expect([fileId, size]).toEqual([`${executionId}.0.file-a1`, 5_000_006]);
    const workflow = stack.workflows.add();
    const { started } = await replica.executions.startExecution({
      start: webhookStartOf(workflow, { executionId, input: Buffer.from('[{"json":{}}]') }),
    });
    expect(started?.executionId).toBe(executionId);
    const { fence } = await claim(replica, executionId);
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence, chunkId: fileId })) parts.push(data);
    expect(Buffer.concat(parts).subarray(0, 8).toString()).toBe('hello xx');
    let facts: unknown;
    for await (const { mimeType, fileName } of replica.executions.readBinary(
      { executionId, fileId },
      { principal: OWNER },
    ))
      facts ??= { mimeType, fileName };
    expect(facts).toEqual({ mimeType: 'text/plain', fileName: 'note.txt' });
  });

  it('refuses an existing execution, malformed ids, and files above the limit', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await expect(put(executionId, [Buffer.from('x')])).rejects.toMatchObject({ kind: 'invalid' });
    await expect(put('nothing', [Buffer.from('x')])).rejects.toMatchObject({ kind: 'invalid' });
    await expect(put(uuidv7(), [Buffer.from('x')], '../x')).rejects.toMatchObject({ kind: 'invalid' });
    const big = Array.from({ length: 9 }, () => Buffer.alloc(4 * 1024 * 1024));
    await expect(put(uuidv7(), big)).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
  });

  it('accepts files for an execution that waits, and none for one that continues', async () => {
    const { executionId, fence } = await claim(replica, await start(replica, stack.workflows.add()));
    const wait = {
      executionId,
      fence,
      checkpoint: 0,
      nodeRuns: [],
      engineState: Buffer.from('s'),
      lastNode: 'Form',
      resumeTokenHash: createHash('sha256').update('token').digest('hex'),
      childExecutionId: '',
    };
    await replica.runner.wait({ entries: [wait] });
    const { fileId } = await put(executionId, [Buffer.from('page two')]);
    await replica.executions.resumeExecution({ resumeToken: 'token', input: Buffer.alloc(0), wait: 0, waitMs: 0 });
    await expect(put(executionId, [Buffer.from('x')], 'b')).rejects.toMatchObject({ kind: 'invalid' });
    const again = await claim(replica, executionId);
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence: again.fence, chunkId: fileId }))
      parts.push(data);
    expect(Buffer.concat(parts).toString()).toBe('page two');
  });

  it('does not let users store files under the id of an execution', async () => {
    await expect(
      replica.executions.putInputFile(upload(uuidv7(), [Buffer.from('x')]), { principal: OWNER }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
