import { jsonOf, runTest, type TestRun } from '@weft/engine/testing';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { memoryState } from '../../../testing/memory-state';

const TYPE = '@n8n/n8n-nodes-langchain.';

/** Runs manager nodes with these parameters one after the other, all on one memory. Outputs of the last one. */
async function manage(managers: readonly JsonObject[], version = 1.1): Promise<Json[] | undefined> {
  const names = managers.map((_, at) => `Manager ${at}`);
  const memory = { sessionIdType: 'customKey', sessionKey: 's', contextWindowLength: 1 };
  const test: TestRun = {
    nodes: [
      ...managers.map(
        (parameters, at) =>
          [`Manager ${at}`, 'm', { type: `${TYPE}memoryManager`, typeVersion: version, parameters }] as const,
      ),
      ['Memory', 'b', { type: `${TYPE}memoryBufferWindow`, typeVersion: 1.3, parameters: memory }],
    ],
    links: [
      ...names.slice(1).map((name, at) => `Manager ${at}>${name}`),
      ...names.map((name) => `Memory>${name}@ai_memory`),
    ],
    executors: {},
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    persistentState: memoryState().state,
  };
  return jsonOf(await runTest(test), names.at(-1) ?? '');
}

const insert = (said: readonly (readonly [string, string])[], insertMode = 'insert'): JsonObject => ({
  mode: 'insert',
  insertMode,
  messages: { messageValues: said.map(([type, message]) => ({ type, message })) },
});
const TALK = insert([
  ['system', 'Be kind'],
  ['user', 'Hi'],
  ['ai', 'Hello'],
  ['user', 'Bye'],
]);
const LOAD: JsonObject = { mode: 'load' };

describe('the chat memory manager', () => {
  it('outputs all messages, by who says them', async () => {
    const groups = [{ system: 'Be kind', human: 'Hi', ai: 'Hello' }, { human: 'Bye' }];
    expect(await manage([TALK, LOAD])).toEqual([{ messages: groups, messagesCount: 2 }]);
    expect(await manage([TALK, { ...LOAD, options: { groupMessages: false } }])).toEqual(groups);
  });

  it('outputs an item for each group of version 1, unless it is told otherwise', async () => {
    const one = insert([['user', 'Hi']]);
    expect((await manage([one, LOAD], 1))?.[0]).toEqual({ human: 'Hi' });
    expect((await manage([one, { ...LOAD, options: { groupMessages: true } }], 1))?.[0]).toEqual({
      messages: [{ human: 'Hi' }],
      messagesCount: 1,
    });
  });

  it('adds to the messages that are there, or replaces them', async () => {
    const more = insert([['ai', 'New']]);
    expect(await manage([TALK, more, LOAD])).toMatchObject([{ messages: [{}, { human: 'Bye', ai: 'New' }] }]);
    expect(await manage([TALK, insert([['ai', 'New']], 'override'), LOAD])).toEqual([
      { messages: [{ ai: 'New' }], messagesCount: 1 },
    ]);
  });

  it('deletes the last messages, none if there are fewer, or all', async () => {
    const remove = (count: number): JsonObject => ({ mode: 'delete', lastMessagesCount: count });
    expect(await manage([TALK, remove(3), LOAD])).toEqual([{ messages: [{ system: 'Be kind' }], messagesCount: 1 }]);
    expect(await manage([TALK, remove(5), LOAD])).toMatchObject([{ messagesCount: 2 }]);
    expect(await manage([TALK, { mode: 'delete', deleteMode: 'all' }, LOAD])).toMatchObject([{ messagesCount: 0 }]);
  });

  it('keeps that a message is hidden', async () => {
    const hidden = { messageValues: [{ type: 'user', message: 'x', hideFromUI: true }] };
    const load: JsonObject = { mode: 'load', simplifyOutput: false, options: { groupMessages: false } };
    expect(await manage([{ mode: 'insert', messages: hidden }, load])).toMatchObject([
      { kwargs: { content: 'x', additional_kwargs: { hideFromUI: true } } },
    ]);
  });
});
