import {
  type ChatMemory,
  type Item,
  type MemoryMessage,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  output,
} from '@weft/engine';
import { isJsonObject, type JsonObject, textField } from '@weft/node-catalogue';
import { booleanParameter, choiceParameter, numberParameter } from '../../../shared/read-parameter';
import { constructorJson, toStoredMessage } from '../stored-message';

const MODES = ['load', 'insert', 'delete'] as const;
/** From this version on, changes output `{ success: true }`, and messages are grouped by default. */
const CONFIRMS_SINCE = 1.1;
const ROLES = { ai: 'assistant', system: 'system', user: 'user' } as const;

/** Reads, inserts and deletes messages of conversations in any memory. */
export const memoryManager: NodeExecutor = {
  kind: 'langchain.memoryManager',
  actsOutside: true,
  run: async (context) => {
    const mode = choiceParameter(context, 'mode', 0, MODES);
    const items: Item[] = [];
    for (const itemIndex of context.items.keys()) {
      const memory = await memoryFor(context, itemIndex);
      if (mode === 'insert') await insert(context, memory, itemIndex);
      if (mode === 'delete') await remove(context, memory, itemIndex);
      const outputs = mode === 'load' ? await load(context, memory, itemIndex) : await confirm(context, memory);
      items.push(...outputs.map((json) => ({ json, pairedItem: { item: itemIndex } })));
    }
    return output(items);
  },
};

async function memoryFor(context: NodeContext, itemIndex: number): Promise<ChatMemory> {
  const [memory] = await context.attached('ai_memory', itemIndex);
  if (memory !== undefined) return memory.handle;
  throw new NodeFailure('The node has no memory: connect one', { itemIndex });
}

async function insert(context: NodeContext, memory: ChatMemory, itemIndex: number): Promise<void> {
  const replaces = choiceParameter(context, 'insertMode', itemIndex, ['insert', 'override']) === 'override';
  const messages = messagesOf(context, itemIndex);
  if (replaces || messages.length > 0) await memory.append(messages, replaces);
}

function messagesOf(context: NodeContext, itemIndex: number): MemoryMessage[] {
  const values = context.parameter('messages.messageValues', itemIndex);
  return (Array.isArray(values) ? values : []).map((value): MemoryMessage => {
    const type = textField(value, 'type') ?? 'system';
    const role = type === 'ai' || type === 'user' || type === 'system' ? ROLES[type] : undefined;
    if (role === undefined)
      throw new NodeFailure(`The type of a message must be ai, system or user, but it is "${type}"`, { itemIndex });
    const content = String((isJsonObject(value) ? value['message'] : undefined) ?? '');
    const isHidden = isJsonObject(value) && value['hideFromUI'] === true;
    return { role, content, ...(isHidden ? { isHidden } : {}) };
  });
}

async function remove(context: NodeContext, memory: ChatMemory, itemIndex: number): Promise<void> {
  if (choiceParameter(context, 'deleteMode', itemIndex, ['lastN', 'all']) === 'all') return memory.remove();
  const count = Math.trunc(numberParameter(context, 'lastMessagesCount', itemIndex));
  if (count > 0) await memory.remove(count);
}

async function confirm(context: NodeContext, memory: ChatMemory): Promise<JsonObject[]> {
  return context.version < CONFIRMS_SINCE ? (await memory.all()).map(constructorJson) : [{ success: true }];
}

async function load(context: NodeContext, memory: ChatMemory, itemIndex: number): Promise<JsonObject[]> {
  const messages = await memory.all();
  const isGrouped = booleanParameter(context, 'options.groupMessages', itemIndex, context.version >= CONFIRMS_SINCE);
  const shown = booleanParameter(context, 'simplifyOutput', itemIndex, true)
    ? simplified(messages)
    : messages.map(constructorJson);
  return isGrouped ? [{ messages: shown, messagesCount: shown.length }] : shown;
}

/** Texts by who says them; an object ends where the same one speaks again. */
function simplified(messages: readonly MemoryMessage[]): JsonObject[] {
  const groups: JsonObject[] = [];
  for (const message of messages) {
    const { type, data } = toStoredMessage(message);
    const last = groups.at(-1);
    const said = data['content'] ?? '';
    if (last === undefined || type in last) groups.push({ [type]: said });
    else last[type] = said;
  }
  return groups;
}
