import type { NodeExecutor } from '@weft/engine';
import { jsonOf, runTest, type TestRun } from '@weft/engine/testing';
import { field, type JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { memoryState } from '../../testing/memory-state';
import { memoryBufferWindow } from './executor';

const MEMORY = '@n8n/n8n-nodes-langchain.memoryBufferWindow';

/** Gives what the memory has, and appends the text of each item with an answer. */
const chat: NodeExecutor['run'] = async (context) => {
  const items = [];
  for (const [index, { json }] of context.items.entries()) {
    for (const { handle } of await context.attached('ai_memory', index)) {
      const known = (await handle.load()).map(({ content }) => String(content));
      await handle.append([
        { role: 'user', content: String(json['say']) },
        { role: 'assistant', content: `re ${String(json['say'])}` },
      ]);
      items.push({ json: { known } });
    }
  }
  return { kind: 'items', outputs: [items] };
};

const known = (result: Parameters<typeof jsonOf>[0]): unknown[] =>
  (jsonOf(result, 'Chat') ?? []).map((json) => field(json, 'known'));

const testOf = (
  items: readonly JsonObject[],
  parameters: JsonObject = {},
  { version = 1.3, state = memoryState(), id = 'm1' } = {},
): TestRun => ({
  nodes: [
    ['Chat', 'chat'],
    ['Memory', 'memory', { id, type: MEMORY, typeVersion: version, parameters }],
  ],
  links: ['Memory>Chat@ai_memory'],
  executors: { chat, 'langchain.memoryBufferWindow': memoryBufferWindow },
  kinds: KIND_TABLE,
  input: items,
  persistentState: state.state,
});

/** Messages that a later run knows. */
async function knownLater(test: TestRun): Promise<unknown> {
  const [, memory = ['Memory', 'memory'] as const] = test.nodes;
  const later = await runTest({
    ...test,
    nodes: [['Later', 'chat'], memory],
    links: ['Memory>Later@ai_memory'],
    input: [{ sessionId: 'a', say: '9' }],
  });
  return field(jsonOf(later, 'Later')?.[0], 'known');
}

describe('the simple memory', () => {
  it('gives the messages of the same session, and no others', async () => {
    const result = await runTest(
      testOf([
        { sessionId: 'a', say: '1' },
        { sessionId: 'b', say: '2' },
        { sessionId: 'a', say: '3' },
      ]),
    );
    expect(known(result)).toEqual([[], [], ['1', 're 1']]);
  });

  it('gives as many turns as the window has', async () => {
    const items = ['1', '2', '3', '4'].map((say) => ({ sessionId: 'a', say }));
    const result = await runTest(testOf(items, { contextWindowLength: 2 }));
    expect(known(result).at(-1)).toEqual(['2', 're 2', '3', 're 3']);
  });

  it('shares a session that the node defines between nodes, and since version 1.4 no other', async () => {
    const state = memoryState();
    const say = [{ sessionId: 'a', say: '1' }];
    const custom = { sessionIdType: 'customKey', sessionKey: 'shared' };
    await runTest(testOf(say, custom, { version: 1.4, state, id: 'm1' }));
    expect(known(await runTest(testOf(say, custom, { version: 1.4, state, id: 'm2' })))).toEqual([['1', 're 1']]);
    await runTest(testOf(say, {}, { version: 1.4, state, id: 'm1' }));
    expect(known(await runTest(testOf(say, {}, { version: 1.4, state, id: 'm2' })))).toEqual([[]]);
  });

  it('gives all messages for a window of 0', async () => {
    const items = ['1', '2', '3'].map((say) => ({ sessionId: 'a', say }));
    expect(known(await runTest(testOf(items, { contextWindowLength: 0 }))).at(-1)).toHaveLength(4);
  });

  it('stores what every node says that uses it in one run', async () => {
    const test = testOf([{ say: '1' }], { sessionIdType: 'customKey', sessionKey: 'a' });
    const result = await runTest({
      ...test,
      nodes: [...test.nodes, ['Other', 'chat']],
      links: [...test.links, 'Chat>Other', 'Memory>Other@ai_memory'],
      executors: { ...test.executors, chat },
    });
    expect(jsonOf(result, 'Other')).toEqual([{ known: ['1', 're 1'] }]);
    expect(await knownLater(test)).toHaveLength(4);
  });

  it('stores what a run says once if the run repeats it', async () => {
    const test = testOf([{ sessionId: 'a', say: '1' }]);
    await runTest(test);
    await runTest(test);
    expect(await knownLater(test)).toHaveLength(2);
  });

  it('keeps the newest messages of a long conversation', async () => {
    const long = 'x'.repeat(60_000);
    const items = ['1', '2', '3', '4'].map((say) => ({ sessionId: 'a', say: `${say}${long}` }));
    const result = await runTest(testOf([...items, { sessionId: 'a', say: '5' }], { contextWindowLength: 100 }));
    expect(JSON.stringify(known(result).at(-1)).slice(0, 3)).toBe('["3');
  });

  it('refuses an item without a session', async () => {
    const { outcome } = await runTest(testOf([{ say: '1' }]));
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The memory "Memory" has no session ID for this item' },
    });
  });

  it('records what it loads and stores', async () => {
    const { records } = await runTest(testOf([{ sessionId: 'a', say: '1' }]));
    expect(
      records.get('Memory')?.map(({ inputOverride }) => inputOverride?.ai_memory?.[0]?.[0]?.json['action']),
    ).toEqual(['loadMemoryVariables', 'saveContext']);
  });
});
