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

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  await gateway.api('POST', '/workflows', { body: { name: 'chat', nodes: [], connections: {} } });
});
afterEach(() => gateway.stop());

describe('GET /api/v1/workflows/:id/conversations', () => {
  it('lists the conversations by page', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/conversations?limit=5');
    expect([status, json]).toEqual([200, { data: [CONVERSATION], nextCursor: null }]);
    expect(gateway.workflows.callsOf('listConversations')[0]?.request).toEqual({
      workflowId: 'w1',
      limit: 5,
      cursor: '',
    });
  });
});

describe('GET /api/v1/workflows/:id/conversations/:conversationId', () => {
  it('returns a conversation with its messages', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/conversations/c1');
    expect([status, json.data]).toEqual([200, { ...CONVERSATION, messages: [{ role: 'user', content: 'Hi' }] }]);
  });
});

describe('DELETE /api/v1/workflows/:id/conversations/:conversationId', () => {
  it('deletes one conversation, and is 404 for another id', async () => {
    const { status, json } = await gateway.api('DELETE', '/workflows/w1/conversations/c1');
    expect([status, json.data]).toEqual([200, { success: true }]);
    expect((await gateway.api('DELETE', '/workflows/w1/conversations/c9')).status).toBe(404);
  });
});

describe('DELETE /api/v1/workflows/:id/conversations', () => {
  it('deletes all conversations, and returns their number', async () => {
    const { status, json } = await gateway.api('DELETE', '/workflows/w1/conversations');
    expect([status, json.data]).toEqual([200, { deleted: 3 }]);
  });
});
