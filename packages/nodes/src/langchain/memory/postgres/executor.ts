import type { ChatMemory, NodeExecutor, SupplyContext } from '@weft/engine';
import { openPostgresSession } from '../../../postgres/session';
import { textParameter } from '../../../shared/read-parameter';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { conversationMemory } from '../conversation';
import { sharedSessionId, windowOf } from '../session-id';
import { inSession } from '../shared-store';
import { postgresConversation, tableNameOf } from './history';

const CONNECT_MS = 30_000;
const DEFAULT_TABLE = 'n8n_chat_histories';
/** Before this version, a model gets all messages. */
const WINDOW_SINCE = 1.1;

/** Stores the messages of conversations in a table of a PostgreSQL server, as n8n does. */
export const memoryPostgresChat: NodeExecutor = {
  kind: 'langchain.memoryPostgresChat',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_memory: postgresMemory },
};

function postgresMemory(context: SupplyContext): ChatMemory {
  const { itemIndex } = context;
  const session = sharedSessionId(context, { choiceSince: 1, scopedSince: 1.4 });
  const table = tableNameOf(textParameter(context, 'tableName', itemIndex) || DEFAULT_TABLE, itemIndex);
  const open = () => openPostgresSession(context, { datesAsText: true, largeNumbers: true }, CONNECT_MS);
  return conversationMemory(
    context,
    { session, window: windowOf(context, WINDOW_SINCE) },
    postgresConversation((work) => inSession(open, itemIndex, work), table, session),
  );
}
