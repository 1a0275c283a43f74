import {
  type Item,
  type MemoryMessage,
  type NodeContext,
  type NodeExecutor,
  type NodeResult,
  output,
} from '@weft/engine';
import { isJsonObject, type JsonObject, objectField, textField } from '@weft/node-catalogue';
import { constructorJson } from '../memory/stored-message';
import { openChat } from './transcript';

/** The action by which a page asks for the messages of its session. */
const LOAD = 'loadPreviousSession';

/**
 * Outputs the message of a chat: `{ sessionId, action, chatInput }` and its files. A page that asks for the messages of
 * its session gets them, and the run ends. A run that was started in another way has the data of its start.
 */
export const chatTrigger: NodeExecutor = {
  kind: 'langchain.chatTrigger',
  actsOutside: false,
  run: async (context) => {
    const items = context.mode === 'webhook' ? context.items.map(chatItem) : context.items;
    if (context.mode === 'webhook' && items[0]?.json['action'] === LOAD) return loadSession(context);
    open(context, items[0]?.json ?? {});
    return output(items);
  },
};

/** Lets nodes of the run send messages to its chat. */
function open({ node, runMemory }: NodeContext, json: JsonObject): void {
  const options = objectField(node.parameters, 'options') ?? {};
  const responseMode = textField(options, 'responseMode') ?? 'lastNode';
  openChat(runMemory, {
    sessionId: textField(json, 'sessionId') ?? '',
    // Only such chats show it again.
    text: responseMode === 'responseNodes' ? (textField(json, 'chatInput') ?? '') : '',
    mode: textField(node.parameters, 'mode') ?? 'hostedChat',
    responseMode,
  });
}

function chatItem(item: Item): Item {
  const { body } = item.json;
  if (!isJsonObject(body)) return item;
  const { sessionId = '', action = 'sendMessage', chatInput = '', ...others } = body;
  return { ...item, json: { sessionId, action, chatInput, ...others } };
}

async function loadSession(context: NodeContext): Promise<NodeResult> {
  const [memory] = await context.attached('ai_memory', 0);
  const messages = (await memory?.handle.all()) ?? [];
  await context.ports.respond({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ data: messages.flatMap(shownMessage) }),
  });
  return output([]);
}

/** A message in the form that n8n's chat widget reads; only what people said to each other, and as text. */
function shownMessage(message: MemoryMessage): JsonObject[] {
  const { role, content } = message;
  if ((role !== 'user' && role !== 'assistant') || message.isHidden === true) return [];
  const text =
    typeof content === 'string' ? content : content.map((part) => textField({ ...part }, 'text') ?? '').join('');
  return text === '' ? [] : [constructorJson({ role, content: text })];
}
