import {
  type ChatMemory,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeShape,
  output,
  type Item,
} from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { booleanParameter, choiceParameter, textParameter } from '../../../shared/read-parameter';
import { type Chat, chatOf, MAX_MESSAGE, openChat, say } from '../transcript';
import { replyItem, waitForReply } from './reply';

/** From this version on, a message that waits for no reply outputs itself instead of the input items. */
const OUTPUTS_MESSAGE_SINCE = 1.3;
/** From this version on, the node has operations. */
const OPERATIONS_SINCE = 1.1;

/**
 * Shows a message in the chat that started the run. Outputs the message, or waits without a slot for the reply of the
 * user and outputs that; after the time limit, the input items of the node pass through.
 */
export const chat: NodeExecutor = {
  kind: 'langchain.chat',
  actsOutside: true,
  awaitsCaller: waits,
  run: async (context) => {
    const open = openChatOf(context);
    const memory = await memoryOf(context);
    if (context.resume?.kind === 'webhook') {
      return output([await replyItem(context, open, context.resume.item, memory)]);
    }
    if (context.resume !== undefined) return output(passed(context));
    const text = messageOf(context);
    if (text !== '') await memory?.append([{ role: 'assistant', content: text }]);
    say(context, text);
    return waits(shapeOf(context)) ? { kind: 'wait', wait: waitForReply(context) } : output(sent(context, open, text));
  },
};

function waits({ version, rawParameter }: NodeShape): boolean {
  return version < OPERATIONS_SINCE
    ? rawParameter('waitUserReply') !== false
    : rawParameter('operation') === 'sendAndWait';
}

function shapeOf(context: NodeContext): NodeShape {
  return { version: context.version, rawParameter: (path) => context.rawParameter(path) };
}

/** @throws NodeFailure if the run has no chat that shows its messages */
function openChatOf(context: NodeContext): Chat {
  // The trigger of a partial run was not run again.
  if (chatOf(context.runMemory) === undefined && context.hasUpstream('langchain.chatTrigger')) reopen(context);
  const open = chatOf(context.runMemory);
  if (open === undefined)
    throw new NodeFailure('The run was not started by a chat, so its message would not be shown', {
      description: 'Start the workflow with a chat trigger.',
    });
  if (open.mode === 'webhook')
    throw new NodeFailure('Messages cannot be sent to an embedded chat', {
      description: 'Set "Mode" of the chat trigger to "Hosted chat".',
    });
  if (open.responseMode !== 'responseNodes')
    throw new NodeFailure('The chat does not show messages of nodes', {
      description: 'Set the option "Response mode" of the chat trigger to "By response nodes".',
    });
  return open;
}

function reopen(context: NodeContext): void {
  const json = context.upstreamFirstItems().findLast((item) => item.json['sessionId'] !== undefined)?.json ?? {};
  const textOf = (name: string): string => (typeof json[name] === 'string' ? json[name] : '');
  const sessionId = textOf('sessionId');
  const chat = { sessionId, text: textOf('chatInput'), mode: 'hostedChat', responseMode: 'responseNodes' };
  openChat(context.runMemory, chat);
}

/** The memory that stores the conversation; an approval is not part of it. */
async function memoryOf(context: NodeContext): Promise<ChatMemory | undefined> {
  if (!booleanParameter(context, 'options.memoryConnection', 0, false)) return undefined;
  const isQuestion = context.version >= OPERATIONS_SINCE && waits(shapeOf(context));
  if (isQuestion && choiceParameter(context, 'responseType', 0, ['approval', 'freeTextChat']) === 'approval')
    return undefined;
  const [memory] = await context.attached('ai_memory', 0);
  return memory?.handle;
}

/** @throws NodeFailure if it is too long */
function messageOf(context: NodeContext): string {
  const text = textParameter(context, 'message', 0);
  if (text.length <= MAX_MESSAGE) return text;
  throw new NodeFailure(`The message has ${text.length} characters; at most ${MAX_MESSAGE} are possible`);
}

function sent(context: NodeContext, { sessionId }: Chat, text: string): readonly Item[] {
  if (context.version < OUTPUTS_MESSAGE_SINCE) return passed(context);
  const isTool = context.toolCall !== undefined;
  const json: JsonObject = {
    sessionId,
    action: 'sendMessage',
    ...(isTool ? { sent: true } : { chatInput: text }),
  };
  return [{ json, pairedItem: { item: 0 } }];
}

function passed({ items }: NodeContext): Item[] {
  return items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}
