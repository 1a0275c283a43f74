import type { Conversation } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';
import { dataAnswer, DELETED } from '../../middleware/responses/write-answer';
import { ANY_OBJECT, component, described, type Fields, COUNT, listOf, record, TEXT, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { pageAnswer } from '../list-answer';

const CONVERSATION_FIELDS: Fields = {
  id: described('64 hexadecimal digits.', TEXT),
  session: described('Name of the session, as the memory got it.', TEXT),
  messageCount: described('Number of messages.', COUNT),
  bytes: described('Size of the messages as JSON.', COUNT),
  createdAt: TIME,
  updatedAt: described('Time of the last message.', TIME),
  expiresAt: described('Time at which it is deleted if no message follows.', TIME),
};

/** Schemas of a conversation in lists, and in full. */
export const CONVERSATION = component('Conversation', record(CONVERSATION_FIELDS));
export const WHOLE_CONVERSATION = component(
  'ConversationWithMessages',
  record({
    ...CONVERSATION_FIELDS,
    messages: described('The messages, the oldest first: each with a role and its content.', listOf(ANY_OBJECT)),
  }),
);
/** Schema of the outcome of a deletion. */
export const DELETED_CONVERSATIONS = record({ deleted: described('Number of deleted conversations.', COUNT) });

const headText = ({ id, session, messages, bytes, createdAt, updatedAt, expiresAt }: Conversation): string =>
  `{"id":${quote(id)},"session":${quote(session)},"messageCount":${messages},"bytes":${bytes},` +
  `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)},"expiresAt":${timeText(expiresAt)}`;

/** GET /workflows/:id/conversations, an addition: one page, the one with the newest message first. */
export const listConversations: ApiHandler = (request, { workflows }) =>
  pageAnswer(request, async (page) => {
    const { conversations, nextCursor } = await workflows.calls.listConversations(
      { workflowId: request.id, ...page },
      { principal: request.principal },
    );
    return { entries: conversations.map((one) => `${headText(one)}}`), nextCursor };
  });

/** GET /workflows/:id/conversations/:conversationId, an addition: one conversation with its messages. */
export const getConversation: ApiHandler = async ({ id, ref, principal }, { workflows }) => {
  const { conversation, messagesJson } = await workflows.calls.getConversation(
    { workflowId: id, conversationId: ref },
    { principal },
  );
  if (conversation === undefined) throw new InternalError(new Error('The workflows service omitted the conversation.'));
  return dataAnswer(`${headText(conversation)},"messages":${messagesJson}}`);
};

/** DELETE /workflows/:id/conversations/:conversationId, an addition. */
export const deleteConversation: ApiHandler = async ({ id, ref, principal }, { workflows }) => {
  await workflows.calls.deleteConversation({ workflowId: id, conversationId: ref }, { principal });
  return DELETED;
};

/** DELETE /workflows/:id/conversations, an addition: deletes all. */
export const deleteConversations: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { deleted } = await workflows.calls.deleteConversations({ workflowId: id }, { principal });
  return dataAnswer(`{"deleted":${deleted}}`);
};
