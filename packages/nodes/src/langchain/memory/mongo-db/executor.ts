import { type ChatMemory, type NodeExecutor, NodeFailure, type SupplyContext } from '@weft/engine';
import { openMongoSession } from '../../../mongo-db/session';
import { textParameter } from '../../../shared/read-parameter';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { conversationMemory } from '../conversation';
import { sharedSessionId, windowOf } from '../session-id';
import { inSession } from '../shared-store';
import { mongoConversation } from './history';

const DEFAULT_COLLECTION = 'n8n_chat_histories';

/** Stores the messages of conversations in a collection of a MongoDB server, as n8n does. */
export const memoryMongoDbChat: NodeExecutor = {
  kind: 'langchain.memoryMongoDbChat',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_memory: mongoMemory },
};

function mongoMemory(context: SupplyContext): ChatMemory {
  const { itemIndex } = context;
  const session = sharedSessionId(context, { choiceSince: 1, scopedSince: 1.1 });
  const collection = textParameter(context, 'collectionName', itemIndex) || DEFAULT_COLLECTION;
  const database = textParameter(context, 'databaseName', itemIndex).trim();
  const open = () =>
    openMongoSession(context, (server) => {
      const name = database || server.database;
      if (name !== '') return { ...server, database: name };
      throw new NodeFailure('The memory has no database', {
        itemIndex,
        description: 'Set the database in the node or in its credential.',
      });
    });
  return conversationMemory(
    context,
    { session, window: windowOf(context) },
    mongoConversation((work) => inSession(open, itemIndex, work), collection, session),
  );
}
