import { createHash } from 'node:crypto';
import { StartWait } from '@weft/proto/executions';
import { claim, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from './stack';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

describe('ResumeExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const parked = async (token: string): Promise<string> => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    const entry = { executionId, fence: 1, checkpoint: 0, nodeRuns: [], engineState: Buffer.from('s'), lastNode: 'Wait', resumeTokenHash: hashOf(token), childExecutionId: '' };
    await replica.runner.wait({ entries: [entry] });
    return executionId;
  };
  const request = (resumeToken: string, inputJson = Buffer.alloc(0), wait = StartWait.START_WAIT_UNSPECIFIED) => ({ resumeToken, inputJson, wait, waitMs: 5_000 });

  it('wakes the run that waits for the token and hands it the items', async () => {
    const executionId = await parked('token-1');
    const { resumed } = await replica.executions.resumeExecution(request('token-1', Buffer.from('[{"json":{"a":1}}]')));
    expect(resumed?.executionId).toBe(executionId);
    const claimed = await claim(replica, executionId);
    expect(JSON.parse(claimed.resumeJson.toString())).toEqual({ kind: 'webhook', items: [{ json: { a: 1 } }] });
    expect(claimed).toMatchObject({ fence: 2, engineState: Buffer.from('s') });
  });

  it('works once, however many try at the same time', async () => {
    await parked('token-2');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => replica.executions.resumeExecution(request('token-2'))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'RESUME_TOKEN_UNKNOWN', kind: 'not-found' });
  });

  it('knows no token that was never made, nor that of a run that was cancelled', async () => {
    await expect(replica.executions.resumeExecution(request('never'))).rejects.toMatchObject({ reason: 'RESUME_TOKEN_UNKNOWN' });
    await expect(replica.executions.resumeExecution(request(''))).rejects.toMatchObject({ reason: 'RESUME_TOKEN_UNKNOWN' });
    const executionId = await parked('token-3');
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    await expect(replica.executions.resumeExecution(request('token-3'))).rejects.toMatchObject({ reason: 'RESUME_TOKEN_UNKNOWN' });
  });

  it('refuses input that is no list, and input above its limit, and wakes nothing', async () => {
    const executionId = await parked('token-4');
    await expect(replica.executions.resumeExecution(request('token-4', Buffer.from('{}')))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(replica.executions.resumeExecution(request('token-4', Buffer.alloc(5 * 1024 * 1024, ' ')))).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect((await stack.stored(executionId))?.state).toBe('waiting');
  });

  it('waits for an answer of its own, not for the one given before the wait', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    const answer = (text: string) => ({ statusCode: 200, headers: [], body: Buffer.from(text) });
    await replica.runner.respond({ executionId, fence: 1, answer: answer('first') });
    await replica.runner.wait({ entries: [{ executionId, fence: 1, checkpoint: 0, nodeRuns: [], engineState: Buffer.from('s'), lastNode: 'Wait', resumeTokenHash: hashOf('token-5'), childExecutionId: '' }] });
    const resuming = replica.executions.resumeExecution(request('token-5', Buffer.alloc(0), StartWait.START_WAIT_RESPONSE), { waits: true, deadlineMs: 8_000 });
    const next = async (): Promise<void> => {
      const claimed = await claim(replica, executionId).catch(() => undefined);
      if (claimed === undefined) return next();
      expect(claimed.responded).toBe(false);
      await replica.runner.report({ entries: [reportOf(executionId, 2, { checkpoint: 1, answer: answer('second') })] });
    };
    await next();
    expect((await resuming).resumed?.answer?.body.toString()).toBe('second');
  });
});
