import type { RedisReply, RedisSession } from '@weft/outbound';
import type { ConversationStore } from '../conversation';
import { LOAD_BOUNDS, messageId, parsedJson } from '../shared-store';
import { fromStoredMessage, toStoredMessage } from '../stored-message';
import { newestThatFit } from '../turns';

/** Newest entries in which an earlier write of the same run is looked for. */
const RECENT = 100;
/** Entries that are read at once: an entry may be large. */
const PAGE = 50;

/** A conversation in a list as n8n writes it: the newest message first. */
export interface RedisConversation {
  readonly key: string;
  /** Seconds until the list expires after its last message; undefined: never. */
  readonly ttl: number | undefined;
}

/** Runs some work in a separate session. */
export type WithSession = <Result>(work: (session: RedisSession) => Promise<Result>) => Promise<Result>;

export function redisConversation(withSession: WithSession, { key, ttl }: RedisConversation): ConversationStore {
  return {
    read: () =>
      withSession(async (session) => {
        const entries: string[] = [];
        let bytes = 0;
        while (entries.length < LOAD_BOUNDS.messages && bytes < LOAD_BOUNDS.bytes) {
          const page = strings(await session.command('LRANGE', key, entries.length, entries.length + PAGE - 1));
          entries.push(...page);
          bytes += page.reduce((sum, entry) => sum + entry.length, 0);
          if (page.length < PAGE) break;
        }
        return newestThatFit(
          entries.reverse().flatMap((entry) => fromStoredMessage(parsedJson(entry))),
          LOAD_BOUNDS,
        );
      }),
    append: (messages, { replaces, operation }) =>
      withSession(async (session) => {
        const id = messageId(operation);
        const recent = strings(await session.command('LRANGE', key, 0, RECENT - 1));
        if (recent.some((entry) => entry.includes(`"id":"${id}"`))) return;
        await together(session, [
          ...(replaces ? [['DEL', key]] : []),
          ...(messages.length === 0
            ? []
            : [
                [
                  'LPUSH',
                  key,
                  ...messages.map((message, at) => JSON.stringify(toStoredMessage(message, messageId(operation, at)))),
                ],
              ]),
          ...(ttl === undefined ? [] : [['EXPIRE', key, ttl]]),
        ]);
      }),
    remove: (count) =>
      withSession(async (session) => {
        if (count === undefined) await session.command('DEL', key);
        else if (Number(await session.command('LLEN', key)) >= count) await session.command('LTRIM', key, count, -1);
      }),
  };
}

/** Runs commands with no other command between them. */
async function together(session: RedisSession, commands: readonly (readonly (string | number)[])[]): Promise<void> {
  const [first] = commands;
  if (first === undefined) return;
  if (commands.length === 1) {
    await session.command(...first);
    return;
  }
  await session.command('MULTI');
  for (const command of commands) await session.command(...command);
  await session.command('EXEC');
}

const strings = (reply: RedisReply): string[] =>
  typeof reply === 'object' && reply !== null ? reply.flatMap((one) => (typeof one === 'string' ? [one] : [])) : [];
