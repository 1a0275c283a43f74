import { mayChange, type Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type PageParams } from '@weft/service-kit/paging';
import { ConversationNotFound, NotYourWorkflow, WorkflowNotFound } from '../errors';
import type { ScopedWorkflows } from '../scoped-stores';

/** A conversation that a memory of the workflow stored, without its messages. */
export interface Conversation {
  /** 64 hexadecimal digits. */
  readonly id: string;
  /** Name of the session, as the memory got it. */
  readonly session: string;
  /** Number of messages. */
  readonly messages: number;
  /** Size as JSON. */
  readonly bytes: number;
  readonly createdAt: Date;
  /** Time of the last message. */
  readonly updatedAt: Date;
  /** Time at which it is deleted if no message follows. */
  readonly expiresAt: Date;
}

/** A conversation and its messages. */
export interface WholeConversation {
  readonly conversation: Conversation;
  /** JSON of an array: the messages, the oldest first. */
  readonly messagesJson: string;
}

/** Position in the list of conversations. */
export interface ConversationPosition {
  readonly expiresAt: Date;
  readonly id: string;
}

/** Store of conversations. Every method throws Unavailable if the database cannot be reached. */
export interface ConversationStore {
  /** Those with the newest last message first. */
  readonly page: (
    workflowId: string,
    after: ConversationPosition | undefined,
    limit: number,
  ) => Promise<readonly Conversation[]>;
  readonly find: (workflowId: string, id: string) => Promise<WholeConversation | undefined>;
  /** False if it does not exist. */
  readonly remove: (workflowId: string, id: string) => Promise<boolean>;
  /** Returns the number of removed conversations. */
  readonly removeAll: (workflowId: string) => Promise<number>;
}

/** Use cases on conversations, for users who may change the workflow. */
export interface ConversationUseCases {
  /** Those with the newest last message first. @throws WorkflowNotFound, NotYourWorkflow, InvalidRequest */
  readonly listConversations: (
    workflowId: string,
    user: Principal,
    page: PageParams,
  ) => Promise<{ readonly conversations: readonly Conversation[]; readonly nextCursor: string }>;
  /** @throws WorkflowNotFound, NotYourWorkflow, ConversationNotFound */
  readonly getConversation: (workflowId: string, id: string, user: Principal) => Promise<WholeConversation>;
  /** A run that writes at the same time begins the conversation again. @throws as getConversation */
  readonly deleteConversation: (workflowId: string, id: string, user: Principal) => Promise<void>;
  /** Returns the number of deleted conversations. @throws WorkflowNotFound, NotYourWorkflow */
  readonly deleteConversations: (workflowId: string, user: Principal) => Promise<number>;
}

export interface ConversationDeps {
  readonly conversations: ConversationStore;
  readonly workflows: Pick<ScopedWorkflows, 'find'>;
}

const ID = /^[0-9a-f]{64}$/;

const positionText = ({ expiresAt, id }: Conversation): string => `${expiresAt.getTime()}.${id}`;

const readPosition = (text: string | undefined): ConversationPosition | undefined => {
  if (text === undefined) return undefined;
  const [time, id = ''] = text.split('.');
  return { expiresAt: new Date(Number(time)), id };
};

export const conversationUseCases = ({ conversations, workflows }: ConversationDeps): ConversationUseCases => {
  /** Only users who may change the workflow may see what people said to it. */
  const requireWorkflow = async (workflowId: string, user: Principal): Promise<void> => {
    const workflow = isUuid(workflowId) ? await workflows.find(workflowId) : undefined;
    if (workflow === undefined) throw new WorkflowNotFound(workflowId);
    if (!mayChange(user, workflow.ownerId)) throw new NotYourWorkflow(workflowId);
  };
  return {
    listConversations: async (workflowId, user, page) => {
      await requireWorkflow(workflowId, user);
      const { items, nextCursor } = await readPage<Conversation>(
        {
          read: (after, limit) => conversations.page(workflowId, readPosition(after), limit),
          idOf: positionText,
          filters: { workflowId },
        },
        page,
      );
      return { conversations: items, nextCursor };
    },
    getConversation: async (workflowId, id, user) => {
      await requireWorkflow(workflowId, user);
      const found = ID.test(id) ? await conversations.find(workflowId, id) : undefined;
      if (found === undefined) throw new ConversationNotFound(workflowId, id);
      return found;
    },
    deleteConversation: async (workflowId, id, user) => {
      await requireWorkflow(workflowId, user);
      if (!ID.test(id) || !(await conversations.remove(workflowId, id))) throw new ConversationNotFound(workflowId, id);
    },
    deleteConversations: async (workflowId, user) => {
      await requireWorkflow(workflowId, user);
      return conversations.removeAll(workflowId);
    },
  };
};
