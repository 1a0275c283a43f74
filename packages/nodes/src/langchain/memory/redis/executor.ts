import type { ChatMemory, NodeExecutor, SupplyContext } from '@weft/engine';
import type { RedisSession } from '@weft/outbound';
import { redisServerOf } from '../../../redis/executor';
import { numberParameter } from '../../../shared/read-parameter';
import { boundsOf, openedSession } from '../../../shared/sql/sql-failure';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { conversationMemory } from '../conversation';
import { sharedSessionId, windowOf } from '../session-id';
import { inSession } from '../shared-store';
import { redisConversation } from './history';

const CONNECT_MS = 10_000;
/** Before this version, a model gets all messages. */
const WINDOW_SINCE = 1.3;
/** Before this version, the login uses the password alone. */
const USER_SINCE = 1.5;

/** Stores the messages of conversations in lists of a Redis server, as n8n does. */
export const memoryRedisChat: NodeExecutor = {
  kind: 'langchain.memoryRedisChat',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_memory: redisMemory },
};

function redisMemory(context: SupplyContext): ChatMemory {
  const { itemIndex } = context;
  const session = sharedSessionId(context, { choiceSince: 1.2, scopedSince: 1.6 });
  const seconds = Math.trunc(numberParameter(context, 'sessionTTL', itemIndex));
  return conversationMemory(
    context,
    { session, window: windowOf(context, WINDOW_SINCE) },
    redisConversation((work) => inSession(() => openSession(context), itemIndex, work), {
      key: session,
      ttl: seconds > 0 ? seconds : undefined,
    }),
  );
}

async function openSession(context: SupplyContext): Promise<RedisSession> {
  const server = redisServerOf(await context.credential('redis'));
  const login = context.version < USER_SINCE ? { ...server, user: '' } : server;
  return openedSession(context.ports.databases.redis(login, boundsOf(CONNECT_MS), context.signal));
}
