import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { Conversation, ConversationStore } from '../domain/versions/conversations';
import type { StoreQuery } from './queries';
import { stateModel, stateQueries, type StateDocument } from './state-store';

const PREFIX = 'chat:';

type Head = Omit<StateDocument, 'valueJson' | 'writes'>;

const toConversation = ({ name, chat, createdAt, updatedAt, expireAt }: Head): Conversation => ({
  id: name.slice(PREFIX.length),
  session: chat?.session ?? '',
  messages: chat?.messages ?? 0,
  bytes: chat?.bytes ?? 0,
  createdAt,
  updatedAt,
  expiresAt: expireAt ?? updatedAt,
});

/** The messages of a stored value: JSON of an array. */
const messagesOf = (valueJson: string): string => {
  const value: unknown = JSON.parse(valueJson);
  const messages = typeof value === 'object' && value !== null && 'messages' in value ? value.messages : [];
  return JSON.stringify(Array.isArray(messages) ? messages : []);
};

/** Conversations among the persistent state in MongoDB. */
export const createConversationStore = (connection: Connection): ConversationStore => {
  const model = stateModel(connection);
  const nameOf = (id: string): string => `${PREFIX}${id}`;
  return {
    page: async (workflowId, after, limit) => {
      const read = async ({ filter, options }: StoreQuery<StateDocument>, atMost: number): Promise<Head[]> =>
        atMost === 0
          ? []
          : withStore(() =>
              model
                .find(filter, { valueJson: 0, writes: 0 }, { ...options, limit: atMost })
                .lean<Head[]>()
                .exec(),
            );
      // Two plain ranges of the index instead of one with an $or, which not every server reads in order.
      const same =
        after === undefined
          ? []
          : await read(stateQueries.chatsAt(workflowId, after.expiresAt, nameOf(after.id)), limit);
      const older = await read(stateQueries.chatsBefore(workflowId, after?.expiresAt), limit - same.length);
      return [...same, ...older].map(toConversation);
    },
    find: async (workflowId, id) => {
      const document = await withStore(() =>
        model
          .findOne(stateQueries.one(workflowId, nameOf(id)).filter)
          .lean<StateDocument>()
          .exec(),
      );
      return document === null
        ? undefined
        : { conversation: toConversation(document), messagesJson: messagesOf(document.valueJson) };
    },
    remove: async (workflowId, id) =>
      withStore(async () => (await deleteMatching(model, stateQueries.one(workflowId, nameOf(id)).filter)) > 0),
    removeAll: (workflowId) => withStore(() => deleteMatching(model, stateQueries.chats(workflowId).filter)),
  };
};
