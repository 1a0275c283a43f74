import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { restClient, textOf, type Rest } from '../../support/rest';
import { node, type NodeFile } from '../../support/workflows';

const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

describe('a chat', () => {
  let stack: Stack;
  let rest: Rest;
  let base: string;
  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const start = async (webhookId: string, parameters: object, memory = false): Promise<string> => {
    const trigger: NodeFile = { ...node('Chat', 'x', 1.1, 0, { public: true, ...parameters }), type: CHAT, webhookId };
    const remember = {
      ...node('Memory', 'x', 1.3, 0, {}),
      type: '@n8n/n8n-nodes-langchain.memoryBufferWindow',
    };
    const reply = node('Reply', 'set', 3.4, 200, {
      mode: 'raw',
      jsonOutput: '={{ { "output": "You said " + $json.chatInput, "session": $json.sessionId } }}',
      options: {},
    });
    const id = textOf(
      await rest('POST', '/workflows', {
        name: webhookId,
        nodes: [trigger, reply, ...(memory ? [remember] : [])],
        connections: {
          Chat: { main: [[{ node: 'Reply', type: 'main', index: 0 }]] },
          ...(memory ? { Memory: { ai_memory: [[{ node: 'Chat', type: 'ai_memory', index: 0 }]] } } : {}),
        },
        settings: { executionOrder: 'v1' },
      }),
      'id',
    );
    const activated = await rest('POST', `/workflows/${id}/activate`);
    if (activated.status !== 200) throw new Error(activated.text);
    return `${base}/webhook/${webhookId}/chat`;
  };
  const say = async (url: string, body: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
  };

  it('responds to a message with the result of the last node', async () => {
    const url = await start('chat-replies', {});
    expect(await say(url, { action: 'sendMessage', sessionId: 's1', chatInput: 'Hello' })).toEqual({
      status: 200,
      json: { output: 'You said Hello', session: 's1' },
    });
  });

  it('has a page at the same address, unless it is embedded elsewhere', async () => {
    const page = await fetch(await start('chat-hosted', { options: { title: 'Help desk' } }));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>Help desk</h1>');
    const embedded = await fetch(await start('chat-embedded', { mode: 'webhook' }));
    expect(embedded.status).toBe(404);
  });

  it('loads the messages of a session from its memory', async () => {
    const url = await start('chat-loads', { options: { loadPreviousSession: 'memory' } }, true);
    expect(await say(url, { action: 'loadPreviousSession', sessionId: 'new' })).toEqual({
      status: 200,
      json: { data: [] },
    });
  });

  it('of a workflow that is not public has no address', async () => {
    await start('chat-private', { public: false }).catch(() => undefined);
    expect((await fetch(`${base}/webhook/chat-private/chat`)).status).toBe(404);
  });
});
