import { jsonOf } from '@weft/engine/testing';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { fromStoredMessage } from '../src/langchain/memory/stored-message';
import { knownKind } from '../src/testing/known-kind';
import type { CaseDatabase } from '../src/testing/cases/node-case';
import { type CaseSession, openCaseSession, VARIABLES } from './support/case-databases';
import { type MemoryRuns, memoryRuns } from './support/memory-runs';
import { describeWith } from './support/servers';

const rest = { additional_kwargs: {}, response_metadata: {} };
/** A conversation as n8n 2.41.1 writes it: with a call of a tool. */
const BY_N8N: readonly JsonObject[] = [
  { type: 'human', data: { content: 'Weather?', ...rest } },
  {
    type: 'ai',
    data: {
      content: 'Calling weather with input: {}',
      tool_calls: [{ id: 'call_1', name: 'weather', args: {}, type: 'tool_call' }],
      invalid_tool_calls: [],
      ...rest,
    },
  },
  { type: 'tool', data: { content: 'Sunny', tool_call_id: 'call_1', name: 'weather', ...rest } },
  { type: 'ai', data: { content: 'It is sunny.', tool_calls: [], invalid_tool_calls: [], ...rest } },
];

/** A database with the tables, lists or documents of n8n's memories. */
interface Store {
  readonly database: CaseDatabase;
  /** Version whose sessions have the names that the test gives. */
  readonly version: number;
  readonly clear: (session: CaseSession) => Promise<unknown>;
  /** Stores entries as n8n does, in a conversation `s`. */
  readonly seed: (session: CaseSession, entries: readonly Json[]) => Promise<void>;
  /** Stored entries of the conversation, the oldest first, each as `{ type, data }`. */
  readonly stored: (session: CaseSession) => Promise<readonly JsonObject[]>;
}

const literal = (json: Json): string => `'${JSON.stringify(json).replaceAll("'", "''")}'`;
const flat = (entry: Json): Json =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) && 'data' in entry
    ? { type: entry['type'] ?? null, ...Object(entry['data']) }
    : entry;
const listOf = (value: unknown): JsonObject[] => JSON.parse(JSON.stringify(value ?? []));

const STORES: Readonly<Record<string, Store>> = {
  memoryPostgresChat: {
    database: 'postgres',
    version: 1.3,
    clear: (session) => session.ask(['DROP TABLE IF EXISTS n8n_chat_histories']),
    seed: async (session, entries) => {
      await session.ask([
        'CREATE TABLE IF NOT EXISTS n8n_chat_histories ',
        '(id SERIAL PRIMARY KEY, session_id VARCHAR(255) NOT NULL, message JSONB NOT NULL)',
      ]);
      for (const entry of entries)
        await session.ask([
          `INSERT INTO n8n_chat_histories (session_id, message) VALUES ('s', ${literal(flat(entry))})`,
        ]);
    },
    stored: async (session) =>
      listOf(await session.ask(["SELECT message FROM n8n_chat_histories WHERE session_id = 's' ORDER BY id"])).map(
        ({ message }) => {
          const { type = null, ...data } = Object(message);
          return { type, data };
        },
      ),
  },
  memoryRedisChat: {
    database: 'redis',
    version: 1.5,
    clear: (session) => session.ask(['FLUSHDB']),
    seed: async (session, entries) => {
      for (const entry of entries) await session.ask(['LPUSH', 's', JSON.stringify(entry)]);
    },
    stored: async (session) => {
      const entries: string[] = JSON.parse(JSON.stringify(await session.ask(['LRANGE', 's', '0', '-1'])));
      return entries.reverse().map((entry): JsonObject => JSON.parse(entry));
    },
  },
  memoryMongoDbChat: {
    database: 'mongoDb',
    version: 1,
    clear: (session) => session.ask([JSON.stringify({ delete: 'n8n_chat_histories', deletes: [{ q: {}, limit: 0 }] })]),
    seed: async (session, entries) => {
      await session.ask([
        JSON.stringify({ insert: 'n8n_chat_histories', documents: [{ sessionId: 's', messages: entries }] }),
      ]);
    },
    stored: async (session) => {
      const documents = listOf(await session.ask([JSON.stringify({ find: 'n8n_chat_histories', filter: {} })]));
      expect(documents).toHaveLength(1);
      return listOf(documents[0]?.['messages']);
    },
  },
};

for (const [kind, store] of Object.entries(STORES))
  describeWith(VARIABLES[store.database], kind, (server) => {
    let session: CaseSession;
    let runs: MemoryRuns;
    beforeAll(async () => {
      session = await openCaseSession(store.database, server);
      runs = memoryRuns({ kind, database: store.database, server }, store.version);
    });
    beforeEach(() => store.clear(session));
    afterAll(() => {
      session.close();
      runs.close();
    });

    it('continues a conversation of n8n, and writes messages that n8n reads', async () => {
      await store.seed(session, BY_N8N);
      expect(await runs.known()).toEqual({
        known: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: 'Calling weather with input: {}',
            toolCalls: [{ id: 'call_1', name: 'weather', input: {} }],
          },
          { role: 'tool', toolCallId: 'call_1', toolName: 'weather', content: 'Sunny' },
          { role: 'assistant', content: 'It is sunny.' },
        ],
      });
      const stored = await store.stored(session);
      expect(stored.slice(0, 4)).toEqual(BY_N8N);
      expect(stored.slice(4)).toEqual([
        { type: 'human', data: { id: expect.stringMatching(/^weft-/), content: 'known', ...rest } },
        {
          type: 'ai',
          data: {
            id: expect.stringMatching(/^weft-/),
            content: 're known',
            tool_calls: [],
            invalid_tool_calls: [],
            ...rest,
          },
        },
      ]);
    });

    it('begins a conversation, and gives as many turns as the window has', async () => {
      for (const text of ['1', '2', '3']) await runs.say(text);
      const known = await runs.known({ contextWindowLength: 2 });
      expect(JSON.stringify(known)).toBe(
        JSON.stringify({
          known: ['2', '3'].flatMap((say) => [
            { role: 'user', content: say },
            { role: 'assistant', content: `re ${say}` },
          ]),
        }),
      );
    });

    it('loses no message of 200 runs at the same time, and mixes no turns', async () => {
      const texts = Array.from({ length: 200 }, (_, at) => `n${at}`);
      const queue = [...texts];
      const worker = async (): Promise<void> => {
        for (let text = queue.pop(); text !== undefined; text = queue.pop()) await runs.say(text);
      };
      await Promise.all(Array.from({ length: 30 }, worker));
      const said = (await store.stored(session)).map(({ data }) => String(Object(data)['content']));
      expect(said).toHaveLength(400);
      const turns = said.flatMap((text, at) => (at % 2 === 0 ? [[text, said[at + 1]]] : []));
      expect(turns.every(([first, second]) => second === `re ${first}`)).toBe(true);
      expect(new Set(turns.map(([first]) => first))).toEqual(new Set(texts));
    });

    it('stores a turn once if a run repeats it after a crash', async () => {
      await runs.say('1');
      await runs.say('1');
      expect(await store.stored(session)).toHaveLength(2);
    });

    it('leaves out entries that are not messages', async () => {
      const good = { type: 'human', data: { content: 'hi', ...rest } };
      await store.seed(session, [{ any: 'thing' }, 'text', 7, good, { type: 'robot', data: [] }, [null]]);
      expect(await runs.known()).toEqual({ known: [{ role: 'user', content: 'hi' }] });
    });

    it('is managed: messages are read, replaced and deleted', async () => {
      await store.seed(session, BY_N8N);
      const load = { mode: 'load' };
      expect(await runs.manage(load)).toMatchObject([{ messagesCount: 2 }]);
      await runs.manage({ mode: 'delete', lastMessagesCount: 3 });
      expect(await store.stored(session)).toEqual(BY_N8N.slice(0, 1));
      await runs.manage({ mode: 'delete', lastMessagesCount: 2 });
      expect(await store.stored(session)).toHaveLength(1);
      const messages = { messageValues: [{ type: 'ai', message: 'New' }] };
      await runs.manage({ mode: 'insert', insertMode: 'override', messages });
      expect((await store.stored(session)).flatMap(fromStoredMessage)).toEqual([{ role: 'assistant', content: 'New' }]);
      await runs.manage({ mode: 'delete', deleteMode: 'all' });
      expect(await runs.manage(load)).toEqual([{ messages: [], messagesCount: 0 }]);
    });

    it('belongs to one node if the session is from a chat trigger, in the newest version', async () => {
      const newest = knownKind(`langchain.${kind}`).versions.at(-1) ?? 0;
      const scoped = memoryRuns({ kind, database: store.database, server }, newest);
      await scoped.say('1', { sessionIdType: 'fromInput' });
      expect(await scoped.known({ sessionKey: 's__The_memory' })).toMatchObject({ known: [{ content: '1' }, {}] });
      expect(await scoped.known()).toEqual({ known: [] });
      scoped.close();
    });

    it('reports a wrong password without it', async () => {
      const credential = { ...server.credential, password: 'wrong-password-9' };
      const wrong = memoryRuns({ kind, database: store.database, server: { ...server, credential } }, store.version);
      const result = await wrong.say('1');
      wrong.close();
      expect(result.outcome).toMatchObject({
        kind: 'error',
        error: { message: expect.stringMatching(/password|auth|WRONGPASS/i) },
      });
      expect(JSON.stringify([result.outcome, [...result.records]])).not.toContain('wrong-password-9');
      expect(jsonOf(result, '1')).toBeUndefined();
    });
  });
