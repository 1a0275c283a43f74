import type { ChatMemory, HttpResponse } from '@weft/engine';
import { jsonOf, pass, runTest, type TestRun } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { chatTrigger } from './executor';

const testOf = (item: JsonObject, over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['Chat', 'chat', { type: '@n8n/n8n-nodes-langchain.chatTrigger', typeVersion: 1.1, parameters: { public: true } }],
    ['Next', 'pass'],
    ['Memory', 'memory'],
  ],
  links: ['Chat>Next', 'Memory>Chat@ai_memory'],
  executors: {
    'langchain.chatTrigger': chatTrigger,
    pass,
    memory: {
      actsOutside: false,
      run: () => ({ kind: 'items', outputs: [] }),
      supplies: {
        ai_memory: (): ChatMemory => ({
          load: async () => [],
          all: async () => [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 't', input: {} }] },
            { role: 'tool', toolCallId: 'c', toolName: 't', content: 'secret of a tool' },
            { role: 'user', content: 'hidden', isHidden: true },
            { role: 'assistant', content: 'Hello' },
          ],
          append: async () => undefined,
          remove: async () => undefined,
        }),
      },
    },
  },
  kinds: KIND_TABLE,
  mode: 'webhook',
  input: [item],
  ...over,
});

describe('the chat trigger', () => {
  it('gives the message with its session', async () => {
    const body = { action: 'sendMessage', sessionId: 's', chatInput: 'Hi', extra: 1 };
    const result = await runTest(testOf({ headers: { a: 'b' }, query: {}, body }));
    expect(jsonOf(result, 'Next')).toEqual([{ sessionId: 's', action: 'sendMessage', chatInput: 'Hi', extra: 1 }]);
  });

  it('responds with what people said in the session, and starts nothing else', async () => {
    const responses: HttpResponse[] = [];
    const result = await runTest(
      testOf(
        { body: { action: 'loadPreviousSession', sessionId: 's' } },
        { respond: async (response) => responses.push(response) > 0 },
      ),
    );
    expect(result.records.has('Next')).toBe(false);
    const { data } = JSON.parse(String(responses[0]?.body));
    expect(data).toEqual([
      expect.objectContaining({
        id: ['langchain_core', 'messages', 'HumanMessage'],
        kwargs: expect.objectContaining({ content: 'Hi' }),
      }),
      expect.objectContaining({
        id: ['langchain_core', 'messages', 'AIMessage'],
        kwargs: expect.objectContaining({ content: 'Hello' }),
      }),
    ]);
  });

  it('passes the data of another start on', async () => {
    const result = await runTest(testOf({ chatInput: 'from the console' }, { mode: 'manual' }));
    expect(jsonOf(result, 'Next')).toEqual([{ chatInput: 'from the console' }]);
  });
});
