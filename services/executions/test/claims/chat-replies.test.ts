import type { ChatWait } from '@weft/proto/channels';
import { ExecutionState, type ReplyToChatRequest } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { until } from '@weft/service-kit/testing';
import { createHash } from 'node:crypto';
import { claim, OWNER, start, startTestStack, type Replica, type TestStack } from '../support/stack';

type Reply = ReplyToChatRequest['reply'];

describe('ReplyToChat', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const messages = [{ author: 'assistant', text: 'May I?' }];
  const waitEntry = (executionId: string, fence: number, over: Partial<ChatWait> = {}) => ({
    executionId,
    fence,
    checkpoint: fence - 1,
    nodeRuns: [],
    engineState: Buffer.from('s'),
    lastNode: 'Ask',
    resumeTokenHash: createHash('sha256').update(executionId).digest('hex'),
    childExecutionId: '',
    resumeSettings: {
      suffix: '~chat/ask-0',
      channel: {
        $case: 'chat' as const,
        value: { messages, since: 0, buttons: [], blocksText: false, ...over },
      },
    },
  });
  const parked = async (over: Partial<ChatWait> = {}): Promise<string> => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await replica.runner.wait({ entries: [waitEntry(executionId, 1, over)] });
    return executionId;
  };
  const pending = async (executionId: string) =>
    (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution?.reply;
  const reply = (executionId: string, run: string, given: Reply, principal: Principal = OWNER) =>
    replica.executions.replyToChat({ executionId, run, reply: given }, { principal });
  const text = (value: string): Reply => ({ $case: 'text', value });
  const approved = (value: boolean): Reply => ({ $case: 'approved', value });

  it('wakes the run with the reply to the message that the execution shows', async () => {
    const executionId = await parked();
    const shown = await pending(executionId);
    expect(shown?.chat).toMatchObject({ messages, since: 0 });
    const { execution } = await reply(executionId, shown?.run ?? '', text('Yes {{ 1 }}'));
    expect(execution).toMatchObject({ state: ExecutionState.EXECUTION_STATE_QUEUED, reply: undefined });
    const { resume } = await claim(replica, executionId);
    expect(JSON.parse(resume.toString())).toEqual({
      kind: 'webhook',
      items: [{ json: { body: { chatInput: 'Yes {{ 1 }}' } } }],
    });
  });

  it('is possible once, alongside replies by the token, and not to a later message', async () => {
    const executionId = await parked();
    const run = (await pending(executionId))?.run ?? '';
    const byToken = { resumeToken: executionId, input: Buffer.from('[]'), wait: 0, waitMs: 0 };
    const results = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => reply(executionId, run, text('Yes'))),
      ...Array.from({ length: 5 }, () => replica.executions.resumeExecution(byToken)),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
    const { fence } = await claim(replica, executionId);
    await replica.runner.wait({ entries: [waitEntry(executionId, fence)] });
    await expect(reply(executionId, run, text('Yes'))).rejects.toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
    expect((await pending(executionId))?.run).not.toBe(run);
  });

  it('takes only what the message asks for', async () => {
    const buttons = [{ label: 'Yes', approves: true, style: 'primary' }];
    const executionId = await parked({ buttons, blocksText: true });
    const run = (await pending(executionId))?.run ?? '';
    await expect(reply(executionId, run, text('Yes'))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(reply(executionId, run, approved(false))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(reply(executionId, run, undefined)).rejects.toMatchObject({ kind: 'invalid' });
    await reply(executionId, run, approved(true));
    const open = await parked();
    await expect(reply(open, (await pending(open))?.run ?? '', text('x'.repeat(100_001)))).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('is refused for other users, unknown waits, and cancelled executions', async () => {
    const executionId = await parked();
    const run = (await pending(executionId))?.run ?? '';
    const stranger: Principal = { userId: 'user-other', role: 'editor' };
    await expect(reply(executionId, run, text('Yes'), stranger)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(reply(executionId, '77', text('Yes'))).rejects.toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    await expect(reply(executionId, run, text('Yes'))).rejects.toMatchObject({ reason: 'EXECUTION_NOT_WAITING' });
  });

  it('is over when the time of the message is, and a follower gets a separate response then', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    const response = { statusCode: 200, headers: [], body: Buffer.from('asked') };
    const entry = { ...waitEntry(executionId, 1), resumeAt: new Date(Date.now() + 200), response };
    await replica.runner.wait({ entries: [entry] });
    await until('the time is over', async () => (await stack.stored(executionId))?.state === 'queued');
    const { resume, fence, responded } = await claim(replica, executionId);
    expect([JSON.parse(resume.toString()), responded]).toEqual([{ kind: 'timer' }, false]);
    const trail = { resumeToken: executionId, workflowId: '', startNode: '', idempotencyKey: '', waitMs: 10_000 };
    const polled = replica.executions.pollExecution(trail);
    const said = { statusCode: 200, headers: [], body: Buffer.from('later') };
    await replica.runner.wait({ entries: [{ ...waitEntry(executionId, fence), response: said }] });
    expect((await polled).waiting?.executionId).toBe(executionId);
    expect((await stack.stored(executionId))?.response?.body?.toString()).toBe('later');
  });
});
