import { uuidv7 } from '@weft/service-kit/ids';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('conversations of a workflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const owner = () => service.as('u1', 'editor');
  let paths = 0;
  const createWorkflow = async (): Promise<string> => {
    paths += 1;
    const { workflow } = await service.gateway.createWorkflow(workflowOf([webhook(`chats-${paths}`)]), owner());
    return workflow?.id ?? '';
  };
  const idOf = (n: number): string => n.toString(16).padStart(64, '0');
  const say = async (workflowId: string, n: number, texts: readonly string[], expectedVersion = 0) => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence: 1, workflowId });
    const messages = texts.map((content) => ({ role: 'user', content }));
    const valueJson = JSON.stringify({ session: `session ${n}`, messages });
    const name = `chat:${idOf(n)}`;
    return service.state.putState({
      ...{ executionId, fence: 1, name, expectedVersion, valueJson },
      operationId: uuidv7(),
    });
  };
  const list = (workflowId: string, limit = 0, cursor = '') =>
    service.gateway.listConversations({ workflowId, limit, cursor }, owner());

  it('are listed by page, the one with the newest message first, with their sizes', async () => {
    const workflowId = await createWorkflow();
    for (let n = 0; n < 5; n += 1) await say(workflowId, n, ['a', 'b'].slice(0, 1 + (n % 2)));
    await say(workflowId, 0, ['a', 'again'], 1);
    const shown: string[] = [];
    let cursor = '';
    do {
      const page = await list(workflowId, 2, cursor);
      expect(page.conversations.length).toBeLessThanOrEqual(2);
      shown.push(...page.conversations.map(({ session, messages }) => `${session}: ${messages}`));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(shown).toEqual(['session 0: 2', 'session 4: 1', 'session 3: 2', 'session 2: 1', 'session 1: 2']);
    const [first] = (await list(workflowId)).conversations;
    expect(first).toMatchObject({ id: idOf(0), bytes: expect.any(Number) });
    expect(first?.bytes).toBeGreaterThan(50);
    const days = (Number(first?.expiresAt) - Number(first?.updatedAt)) / 86_400_000;
    expect(days).toBe(30);
  });

  it('are listed completely if many have the same time', async () => {
    const workflowId = await createWorkflow();
    await Promise.all(Array.from({ length: 30 }, (_, n) => say(workflowId, n, ['x'])));
    const ids = new Set<string>();
    let cursor = '';
    do {
      const page = await list(workflowId, 4, cursor);
      for (const { id } of page.conversations) ids.add(id);
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(ids.size).toBe(30);
  });

  it('are read with their messages, and deleted one by one or all', async () => {
    const workflowId = await createWorkflow();
    for (let n = 0; n < 3; n += 1) await say(workflowId, n, [`hello ${n}`]);
    const one = { workflowId, conversationId: idOf(1) };
    const { conversation, messagesJson } = await service.gateway.getConversation(one, owner());
    expect(conversation).toMatchObject({ session: 'session 1', messages: 1 });
    expect(JSON.parse(messagesJson)).toEqual([{ role: 'user', content: 'hello 1' }]);
    await service.gateway.deleteConversation(one, owner());
    for (const missing of [one, { workflowId, conversationId: 'x' }]) {
      await expect(service.gateway.getConversation(missing, owner())).rejects.toMatchObject({
        reason: 'CONVERSATION_NOT_FOUND',
      });
      await expect(service.gateway.deleteConversation(missing, owner())).rejects.toMatchObject({
        reason: 'CONVERSATION_NOT_FOUND',
      });
    }
    expect(await service.gateway.deleteConversations({ workflowId }, owner())).toEqual({ deleted: 2 });
    expect((await list(workflowId)).conversations).toEqual([]);
    expect(await service.gateway.deleteConversations({ workflowId }, owner())).toEqual({ deleted: 0 });
  });

  it('belong to those who may change the workflow', async () => {
    const workflowId = await createWorkflow();
    await say(workflowId, 1, ['secret']);
    const other = service.as('u2', 'editor');
    const page = { workflowId, limit: 0, cursor: '' };
    const one = { workflowId, conversationId: idOf(1) };
    for (const call of [
      () => service.gateway.listConversations(page, other),
      () => service.gateway.getConversation(one, other),
      () => service.gateway.deleteConversation(one, other),
      () => service.gateway.deleteConversations({ workflowId }, other),
    ])
      await expect(call()).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.gateway.listConversations({ ...page, workflowId: uuidv7() }, owner())).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
    });
    expect((await list(workflowId)).conversations).toHaveLength(1);
  });
});
