import { createHash } from 'node:crypto';
import type { WaitSettings } from '@weft/proto/channels';
import { StartWait } from '@weft/proto/executions';
import { WriteOutcome } from '@weft/proto/runner';
import { until } from '@weft/service-kit/testing';
import { claim, OWNER, reportOf, start, startOf, startTestStack, type Replica, type TestStack } from '../support/stack';

const PAGE = { title: '', description: '', button: '', fields: [], css: '' };

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

describe('ResumeExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const waitEntry = (executionId: string, token: string) => ({
    executionId,
    fence: 1,
    checkpoint: 0,
    nodeRuns: [],
    engineState: Buffer.from('s'),
    lastNode: 'Wait',
    resumeTokenHash: hashOf(token),
    childExecutionId: '',
  });
  const parked = async (token: string, resumeSettings?: WaitSettings): Promise<string> => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await replica.runner.wait({ entries: [{ ...waitEntry(executionId, token), resumeSettings }] });
    return executionId;
  };
  const request = (resumeToken: string, input = Buffer.alloc(0), wait = StartWait.START_WAIT_UNSPECIFIED) => ({
    resumeToken,
    input,
    wait,
    waitMs: 5_000,
  });

  it('wakes the run that waits for the token and passes it the items', async () => {
    const executionId = await parked('token-1');
    const { resumed } = await replica.executions.resumeExecution(request('token-1', Buffer.from('[{"json":{"a":1}}]')));
    expect(resumed?.executionId).toBe(executionId);
    const claimed = await claim(replica, executionId);
    expect(JSON.parse(claimed.resume.toString())).toEqual({ kind: 'webhook', items: [{ json: { a: 1 } }] });
    expect(claimed).toMatchObject({ fence: 2, engineState: Buffer.from('s') });
  });

  it('works once, however many try at the same time', async () => {
    await parked('token-2');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => replica.executions.resumeExecution(request('token-2'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: 'EXECUTION_NOT_WAITING', kind: 'conflict' });
  });

  it('refuses an unknown token, and reports that a run has ended', async () => {
    await expect(replica.executions.resumeExecution(request('never'))).rejects.toMatchObject({
      reason: 'RESUME_TOKEN_UNKNOWN',
    });
    await expect(replica.executions.resumeExecution(request(''))).rejects.toMatchObject({
      reason: 'RESUME_TOKEN_UNKNOWN',
    });
    const executionId = await parked('token-3');
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    await expect(replica.executions.resumeExecution(request('token-3'))).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_WAITING',
      message: expect.stringContaining('ended'),
    });
  });

  it('returns what waits to the gateway, with a name unique to this wait', async () => {
    const settings: WaitSettings = {
      suffix: 'a',
      channel: { $case: 'form', value: { page: { ...PAGE, title: 'Über uns' }, leadsOn: true } },
    };
    const executionId = await parked('token-6', settings);
    const { workflowId = '', ownerId = '', generation } = (await stack.stored(executionId)) ?? {};
    const found = await replica.executions.findWait({ resumeToken: 'token-6' });
    expect(found).toMatchObject({ executionId, generation, workflowId, ownerId, settings });
    await expect(
      replica.executions.resumeExecution({ ...request('token-6'), generation: found.generation + 1 }),
    ).rejects.toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
    await replica.executions.resumeExecution({ ...request('token-6'), generation: found.generation });
    await expect(replica.executions.findWait({ resumeToken: 'token-6' })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_WAITING',
      kind: 'conflict',
    });
    await expect(replica.executions.findWait({ resumeToken: 'never' })).rejects.toMatchObject({
      reason: 'RESUME_TOKEN_UNKNOWN',
      kind: 'not-found',
    });
    await expect(replica.executions.findWait({ resumeToken: 'token-6' }, { principal: OWNER })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('tells a caller that comes before the wait to retry, once the run has published its token', async () => {
    const yet = { reason: 'EXECUTION_NOT_WAITING_YET', kind: 'conflict' };
    const running = async () => (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
    const [told, answered] = [await running(), await running()];
    await replica.runner.checkpoint({
      entries: [
        {
          executionId: told,
          fence: 1,
          checkpoint: 1,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          resumeTokenHash: hashOf('token-9'),
        },
      ],
    });
    await replica.runner.respond({
      executionId: answered,
      fence: 1,
      response: { statusCode: 200, headers: [], body: Buffer.from('the address') },
      resumeTokenHash: hashOf('token-10'),
    });
    for (const resumeToken of ['token-9', 'token-10']) {
      await expect(replica.executions.findWait({ resumeToken })).rejects.toMatchObject(yet);
      await expect(replica.executions.resumeExecution(request(resumeToken))).rejects.toMatchObject(yet);
    }
    await replica.runner.wait({ entries: [{ ...waitEntry(told, 'token-9'), checkpoint: 1 }] });
    await replica.executions.resumeExecution(request('token-9'));
    await expect(replica.executions.findWait({ resumeToken: 'token-9' })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_WAITING',
    });
    await replica.runner.report({ entries: [reportOf(answered, 1)] });
    await expect(replica.executions.findWait({ resumeToken: 'token-10' })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_WAITING',
    });
    const { outcomes } = await replica.runner.checkpoint({
      entries: [
        {
          executionId: told,
          fence: 1,
          checkpoint: 1,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          resumeTokenHash: 'x',
        },
      ],
    });
    expect(outcomes).toEqual([WriteOutcome.WRITE_OUTCOME_REFUSED]);
  });

  it('accepts the same token at the next wait, without confusing their callers', async () => {
    const executionId = await parked('token-7');
    const first = await replica.executions.findWait({ resumeToken: 'token-7' });
    await replica.executions.resumeExecution(request('token-7'));
    const { fence } = await claim(replica, executionId);
    await replica.runner.wait({ entries: [{ ...waitEntry(executionId, 'token-7'), fence, checkpoint: 1 }] });
    await expect(
      replica.executions.resumeExecution({ ...request('token-7'), generation: first.generation }),
    ).rejects.toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
    expect((await stack.stored(executionId))?.state).toBe('waiting');
    await replica.executions.resumeExecution({
      ...request('token-7'),
      generation: (await replica.executions.findWait({ resumeToken: 'token-7' })).generation,
    });
  });

  it('wakes once, whether the timer or a caller is first', async () => {
    const sweeping = await stack.startReplica({ SWEEP_MS: '50' });
    const races = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
        await replica.runner.wait({
          entries: [{ ...waitEntry(executionId, `race-${n}`), resumeAt: new Date(Date.now() + 20 * n) }],
        });
        const winner = await sweeping.executions.resumeExecution(request(`race-${n}`)).then(
          () => 'webhook',
          () => 'timer',
        );
        const claimed = await claim(replica, executionId);
        return [winner, JSON.parse(claimed.resume.toString()).kind, (await stack.stored(executionId))?.generation];
      }),
    );
    expect(races).toEqual(races.map(([winner]) => [winner, winner, 1]));
  });

  it('refuses input that is not an array, and input above its limit, and wakes nothing', async () => {
    const executionId = await parked('token-4');
    await expect(replica.executions.resumeExecution(request('token-4', Buffer.from('{}')))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
    await expect(
      replica.executions.resumeExecution(request('token-4', Buffer.alloc(5 * 1024 * 1024, ' '))),
    ).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect((await stack.stored(executionId))?.state).toBe('waiting');
  });

  it('waits for a separate response, not for the one given before the wait', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    const answer = (text: string) => ({ statusCode: 200, headers: [], body: Buffer.from(text) });
    await replica.runner.respond({ executionId, fence: 1, response: answer('first') });
    await replica.runner.wait({ entries: [waitEntry(executionId, 'token-5')] });
    const resuming = replica.executions.resumeExecution(
      request('token-5', Buffer.alloc(0), StartWait.START_WAIT_RESPONSE),
      { waits: true, deadlineMs: 8_000 },
    );
    const next = async (): Promise<void> => {
      const claimed = await claim(replica, executionId).catch(() => undefined);
      if (claimed === undefined) return next();
      expect(claimed.responded).toBe(false);
      await replica.runner.report({
        entries: [reportOf(executionId, 2, { checkpoint: 1, response: answer('second') })],
      });
    };
    await next();
    expect((await resuming).resumed?.response?.body.toString()).toBe('second');
    expect((await stack.stored(executionId))?.lastResponse?.body?.toString()).toBe('first');
  });

  it('keeps the response for the previous caller, even if the next one already has a response', async () => {
    const deaf = await stack.startReplica({ NATS_STREAM: `${stack.queue.stream}_DEAF` });
    const workflow = stack.workflows.add();
    const starting = deaf.executions.startExecution(
      { start: startOf(workflow, { wait: StartWait.START_WAIT_RESPONSE, waitMs: 8_000 }) },
      { principal: OWNER, waits: true, deadlineMs: 10_000 },
    );
    const executionId = await until(
      'it is accepted',
      async () =>
        (await stack.database.collection<{ _id: string }>('executions').findOne({ workflowId: workflow.workflowId }))
          ?._id,
    );
    await claim(replica, executionId);
    const answer = (text: string) => ({ statusCode: 200, headers: [], body: Buffer.from(text) });
    await replica.runner.wait({
      entries: [{ ...waitEntry(executionId, 'token-8'), response: answer('for the first') }],
    });
    const { resumed } = await replica.executions.resumeExecution(request('token-8'));
    await claim(replica, executionId);
    await replica.runner.respond({ executionId, fence: 2, response: answer('for the second') });
    expect((await starting).started?.response?.body.toString()).toBe('for the first');
    expect(resumed?.executionId).toBe(executionId);
    await deaf.stop();
    // It may have been stopped before it created its stream.
    await stack.nats
      .jetstreamManager()
      .then((manager) => manager.streams.delete(`${stack.queue.stream}_DEAF`))
      .catch(() => undefined);
  });
});
