import type { WorkflowServiceService } from '@weft/proto/workflows';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import { userOf } from './access';

export type ConversationHandlers = Pick<
  Handlers<typeof WorkflowServiceService>,
  'listConversations' | 'getConversation' | 'deleteConversation' | 'deleteConversations'
>;

/** Conversations of a workflow over gRPC. */
export const conversationHandlers = (useCases: Within): ConversationHandlers => ({
  listConversations: async ({ workflowId, ...page }, context) => {
    const scoped = await scopedTo(useCases, context);
    const { conversations, nextCursor } = await scoped.listConversations(workflowId, userOf(context), page);
    return { conversations: [...conversations], nextCursor };
  },
  getConversation: async ({ workflowId, conversationId }, context) =>
    (await scopedTo(useCases, context)).getConversation(workflowId, conversationId, userOf(context)),
  deleteConversation: async ({ workflowId, conversationId }, context) => {
    await (await scopedTo(useCases, context)).deleteConversation(workflowId, conversationId, userOf(context));
    return {};
  },
  deleteConversations: async ({ workflowId }, context) => ({
    deleted: await (await scopedTo(useCases, context)).deleteConversations(workflowId, userOf(context)),
  }),
});
