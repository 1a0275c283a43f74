import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../../../testing/cases/node-case';
import { memoryState } from '../../../testing/memory-state';

const ALL = [1, 1.1];
const s: JsonObject = { sessionId: 's' };
const kwargs = { additional_kwargs: {}, response_metadata: {} };

/** A run with an empty memory. */
const run =
  (parameters: JsonObject, items: readonly JsonObject[] = [s]): NodeCase['run'] =>
  () => ({ parameters, items, hasMemory: true, kept: memoryState() });
const messages = (...said: readonly (readonly [string, string])[]): JsonObject => ({
  messages: { messageValues: said.map(([type, message]) => ({ type, message })) },
});
const failing = (mode: string): NodeCase => ({
  it: `reports an item without a session (${mode})`,
  versions: ALL,
  run: run({ mode, deleteMode: 'all', ...messages(['user', 'Hi']) }, [{}]),
  fails: 'The memory "Memory" has no session ID for this item',
});

export const memoryManagerCases: KindCases = {
  kind: 'langchain.memoryManager',
  cases: [
    {
      it: 'outputs an empty conversation as one item',
      versions: [1.1],
      run: run({ mode: 'load' }),
      gives: [[{ messages: [], messagesCount: 0 }]],
    },
    { it: 'outputs nothing for an empty conversation', versions: [1], run: run({ mode: 'load' }), gives: [[]] },
    {
      it: 'confirms what it inserts',
      versions: [1.1],
      run: run({ mode: 'insert', ...messages(['user', 'Hi']) }),
      gives: [[{ success: true }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'outputs all messages after it has inserted some',
      versions: [1],
      run: run({ mode: 'insert', ...messages(['user', 'Hi'], ['ai', 'Yo']) }),
      gives: [
        [
          {
            ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'] },
            kwargs: { content: 'Hi', ...kwargs },
          },
          {
            ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'AIMessage'] },
            kwargs: { content: 'Yo', tool_calls: [], invalid_tool_calls: [], ...kwargs },
          },
        ],
      ],
    },
    {
      it: 'reports a type of message that it does not know',
      versions: ALL,
      run: run({ mode: 'insert', ...messages(['robot', 'Hi']) }),
      fails: 'The type of a message must be ai, system or user, but it is "robot"',
    },
    {
      it: 'confirms that it deleted messages',
      versions: [1.1],
      run: run({ mode: 'delete', deleteMode: 'all' }),
      gives: [[{ success: true }]],
    },
    {
      it: 'outputs what is left after it has deleted messages',
      versions: [1],
      run: run({ mode: 'delete', deleteMode: 'all' }),
      gives: [[]],
    },
    ...['load', 'insert', 'delete'].map(failing),
  ],
};
