import { startGateway, type TestGateway } from '../support/start-gateway';

const CONVERSATION = {
  id: 'c1',
  session: 's "1"',
  messageCount: 2,
  bytes: 64,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  expiresAt: '2026-01-02T03:04:05.678Z',
};

describe('conversations of a workflow over REST', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/workflows', { body: { name: 'chat', nodes: [], connections: {} } });
  });
  afterEach(() => gateway.stop());

  it('are listed by page', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/conversations?limit=5');
    expect([status, json]).toEqual([200, { data: [CONVERSATION], nextCursor: null }]);
    expect(gateway.workflows.callsOf('listConversations')[0]?.request).toEqual({
      workflowId: 'w1',
      limit: 5,
      cursor: '',
    });
  });

  it('are read with their messages', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/conversations/c1');
    expect([status, json.data]).toEqual([200, { ...CONVERSATION, messages: [{ role: 'user', content: 'Hi' }] }]);
  });

  it('are deleted one by one or all', async () => {
    const one = await gateway.api('DELETE', '/workflows/w1/conversations/c1');
    expect([one.status, one.json.data]).toEqual([200, { success: true }]);
    const all = await gateway.api('DELETE', '/workflows/w1/conversations');
    expect([all.status, all.json.data]).toEqual([200, { deleted: 3 }]);
    expect((await gateway.api('DELETE', '/workflows/w1/conversations/c9')).status).toBe(404);
  });
});
