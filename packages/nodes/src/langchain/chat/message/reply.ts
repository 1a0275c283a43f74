import { type CallerRequest, type ChatMemory, type Item, type NodeContext, resumeTokenOf } from '@weft/engine';
import { booleanField, type JsonObject, objectField, textField } from '@weft/node-catalogue';
import type { ChatButton } from '@weft/proto/channels';
import type { ChatSuffix } from '@weft/proto/chat-answer';
import { limitOf } from '../../../shared/questions/ask-and-wait';
import { choicesOf, suffixOf } from '../../../shared/questions/question';
import { booleanParameter, choiceParameter } from '../../../shared/read-parameter';
import { type Chat, chatAnswer, chatOf, hear } from '../transcript';

const CHAT_SUFFIX: ChatSuffix = '~chat';
const LABELS = { approve: 'Approve', disapprove: 'Decline' } as const;
/** Versions whose output has the reply in `data`. */
const NESTED = 1.1;

/**
 * The wait for the reply to the last message. Each wait has its own address, so that a late reply to an earlier message
 * does not answer a later one.
 * @throws NodeFailure for a time limit that cannot be read
 */
export function waitForReply(context: NodeContext): CallerRequest {
  const token = resumeTokenOf(context.runMemory);
  const suffix = `${CHAT_SUFFIX}/${suffixOf(context)}`;
  const { messages = [], since = 0 } = chatOf(context.runMemory) ?? {};
  const buttons = buttonsOf(context);
  const blocksText = buttons.length > 0 && booleanParameter(context, 'blockUserInput', 0, false);
  const at = limitOf(context);
  const endsAt = at === undefined ? {} : { endsAt: at };
  const endsAtMs = at === undefined ? {} : { endsAtMs: Math.ceil(at) };
  return {
    kind: 'webhook',
    token,
    settings: {
      suffix,
      channel: {
        $case: 'chat',
        value: { messages: [...messages], since, buttons: [...buttons], blocksText, ...endsAtMs },
      },
    },
    answer: { responseMode: 'chat' },
    announce: chatAnswer({
      messages,
      since,
      reply: { path: `/webhook-waiting/${token}/${suffix}`, buttons, blocksText, ...endsAt },
    }),
    ...(at === undefined ? {} : { at }),
  };
}

/** The buttons of an approval, the approving one first. */
function buttonsOf(context: NodeContext): readonly ChatButton[] {
  if (!asksApproval(context)) return [];
  return [...choicesOf(context, LABELS)]
    .reverse()
    .map(({ label, approved, style }) => ({ label, approves: approved, style }));
}

function asksApproval(context: NodeContext): boolean {
  return (
    context.version >= NESTED &&
    choiceParameter(context, 'responseType', 0, ['approval', 'freeTextChat']) === 'approval'
  );
}

/** The item made from a reply: the message with its files, or the decision of an approval. */
export async function replyItem(
  context: NodeContext,
  { sessionId }: Chat,
  { json, binary }: Item,
  memory: ChatMemory | undefined,
): Promise<Item> {
  const body = objectField(json, 'body') ?? {};
  const approved = booleanField(body, 'approved');
  if (approved !== undefined) {
    hear(context.runMemory, buttonsOf(context).find(({ approves }) => approves === approved)?.label ?? '');
    const respondedAt = new Date(context.ports.clock.now()).toISOString();
    return { json: { data: { approved, respondedAt } }, pairedItem: { item: 0 } };
  }
  const text = textField(body, 'chatInput') ?? '';
  if (text !== '') await memory?.append([{ role: 'user', content: text }]);
  hear(context.runMemory, text);
  const said = { sessionId, action: 'sendMessage', chatInput: text };
  return {
    json: outputOf(said, context),
    ...(binary === undefined ? {} : { binary: numbered(binary) }),
    pairedItem: { item: 0 },
  };
}

/** A message in place of a decision approves nothing. */
function outputOf(said: JsonObject, context: NodeContext): JsonObject {
  const rejected: JsonObject = asksApproval(context) ? { approved: false } : {};
  if (context.version === NESTED) return { data: { ...said, ...rejected } };
  return asksApproval(context) ? { ...said, data: rejected } : said;
}

function numbered(binary: NonNullable<Item['binary']>): NonNullable<Item['binary']> {
  return Object.fromEntries(Object.values(binary).map((file, at) => [`data_${at}`, file]));
}
