import { WriteOutcome } from '@weft/proto/runner';
import { claim, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED } = WriteOutcome;
const answerOf = (text: string, statusCode = 201) => ({
  statusCode,
  headers: [{ name: 'content-type', value: 'text/plain' }],
  body: Buffer.from(text),
});

describe('Respond', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const respond = async (executionId: string, fence: number, answer = answerOf('hi')) =>
    (await replica.runner.respond({ executionId, fence, response: answer })).outcome;

  it('stores the first response and no other', async () => {
    const executionId = await running();
    expect(await respond(executionId, 1)).toBe(WRITE_OUTCOME_APPLIED);
    expect(await respond(executionId, 1, answerOf('later'))).toBe(WRITE_OUTCOME_DUPLICATE);
    expect((await stack.stored(executionId))?.response).toMatchObject({
      statusCode: 201,
      headers: [{ name: 'content-type', value: 'text/plain' }],
    });
    expect((await stack.stored(executionId))?.response?.body?.toString()).toBe('hi');
  });

  it('is fenced for another fence and after an end without a response', async () => {
    const executionId = await running();
    expect(await respond(executionId, 2)).toBe(WRITE_OUTCOME_FENCED);
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    expect(await respond(executionId, 1)).toBe(WRITE_OUTCOME_FENCED);
  });

  it('refuses an invalid status, and too many headers', async () => {
    const executionId = await running();
    await expect(respond(executionId, 1, answerOf('', 42))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(
      respond(executionId, 1, {
        ...answerOf(''),
        headers: Array.from({ length: 101 }, () => ({ name: 'a', value: 'b' })),
      }),
    ).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE', details: { limit: 'RESPONSE_HEADERS' } });
  });

  it('stores a large body as a complete chunk', async () => {
    const executionId = await running();
    expect(await respond(executionId, 1, answerOf('x'.repeat(300_000)))).toBe(WRITE_OUTCOME_APPLIED);
    const record = await stack.stored(executionId);
    expect(record?.response?.body).toBeUndefined();
    const parts = await stack.database.collection('executionChunks').find({ executionId }).toArray();
    expect(parts.map(({ reference, size }) => [reference, size])).toEqual([[record?.response?.bodyChunk, 300_000]]);
  });
});
