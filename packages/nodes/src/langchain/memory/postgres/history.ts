import { createHash } from 'node:crypto';
import { type MemoryMessage, NodeFailure } from '@weft/engine';
import { DatabaseFailed, type SqlSession, type SqlStatement } from '@weft/outbound';
import { POSTGRES } from '../../../shared/sql/dialect';
import { StatementBuilder } from '../../../shared/sql/statement';
import type { AppendOptions, ConversationStore } from '../conversation';
import { LOAD_BOUNDS, messageId, parsedJson } from '../shared-store';
import { fromStoredMessage, toStoredMessage } from '../stored-message';

/** PostgreSQL cuts longer names. */
const PART = /^[A-Za-z_][\w$]{0,62}$/;
/** Codes of the server: the table is missing; another session has just created it. */
const MISSING = '42P01';
const CREATED_MEANWHILE: readonly string[] = ['23505', '42P07'];

/** The parts of the name of a table, in lower case. @throws NodeFailure for another form of name */
export function tableNameOf(name: string, itemIndex: number): readonly string[] {
  const parts = name.split('.');
  if (parts.length > 2 || !parts.every((part) => PART.test(part)))
    throw new NodeFailure(`Invalid table name "${name.slice(0, 200)}"`, {
      itemIndex,
      description: 'Use at most 63 letters, digits and underscores, with an optional "schema." prefix.',
    });
  return parts.map((part) => part.toLowerCase());
}

/** Runs some work in a separate session. */
export type WithSession = <Result>(work: (session: SqlSession) => Promise<Result>) => Promise<Result>;

/** A conversation in a table as n8n creates it: `id`, `session_id`, `message`, one row for each message. */
export function postgresConversation(
  withSession: WithSession,
  table: readonly string[],
  conversation: string,
): ConversationStore {
  const sql = statements(table, conversation);
  /** Creates the table if it is missing, and tries again. */
  const inTransaction = (work: (session: SqlSession) => Promise<void>): Promise<void> =>
    withSession(async (session) => {
      const run = async (): Promise<void> => {
        await session.run(sql.begin);
        await work(session);
        await session.run({ text: 'COMMIT', values: [] });
      };
      try {
        await run();
      } catch (thrown) {
        if (!(thrown instanceof DatabaseFailed) || thrown.code !== MISSING) throw thrown;
        await session.run({ text: 'ROLLBACK', values: [] });
        await session.run(sql.create).catch((failed: unknown) => {
          if (!(failed instanceof DatabaseFailed) || !CREATED_MEANWHILE.includes(failed.code)) throw failed;
        });
        await run();
      }
    });
  return {
    read: () =>
      withSession(async (session) => {
        const [result] = await session.run(sql.read).catch((thrown: unknown) => {
          if (thrown instanceof DatabaseFailed && thrown.code === MISSING) return [];
          throw thrown;
        });
        return (result?.rows ?? []).flatMap(({ message }) => fromStoredMessage(parsedJson(message)));
      }),
    append: (messages, options) =>
      inTransaction(async (session) => {
        const [found] = await session.run(sql.find(messageId(options.operation)));
        if ((found?.rows ?? []).length > 0) return;
        if (options.replaces) await session.run(sql.remove(undefined));
        if (messages.length > 0) await session.run(sql.insert(messages, options));
      }),
    remove: (count) => inTransaction(async (session) => void (await session.run(sql.remove(count)))),
  };
}

interface Statements {
  readonly begin: SqlStatement;
  readonly create: SqlStatement;
  readonly read: SqlStatement;
  readonly find: (id: string) => SqlStatement;
  readonly insert: (messages: readonly MemoryMessage[], options: AppendOptions) => SqlStatement;
  readonly remove: (count: number | undefined) => SqlStatement;
}

function statements(table: readonly string[], conversation: string): Statements {
  const begin = (text: string): StatementBuilder => new StatementBuilder(POSTGRES).sql(text);
  const addTable = (builder: StatementBuilder): StatementBuilder =>
    builder.list(table, (part) => builder.name(part), '.');
  const addNewest = (builder: StatementBuilder, columns: string, count: number): StatementBuilder =>
    addTable(builder.sql(`(SELECT ${columns} FROM `))
      .sql(' WHERE session_id = ')
      .value(conversation)
      .sql(` ORDER BY id DESC LIMIT ${Math.trunc(count)})`);
  return {
    // Writers of one conversation wait for each other, so that turns are not mixed.
    begin: { text: `BEGIN; SELECT pg_advisory_xact_lock(${lockKey([...table, conversation])})`, values: [] },
    create: addTable(begin('CREATE TABLE IF NOT EXISTS '))
      .sql(' (id SERIAL PRIMARY KEY, session_id VARCHAR(255) NOT NULL, message JSONB NOT NULL)')
      .statement(),
    read: addNewest(
      begin(
        'SELECT message FROM (SELECT id, message::text AS message, ' +
          'sum(octet_length(message::text)) OVER (ORDER BY id DESC) AS bytes FROM ',
      ),
      'id, message',
      LOAD_BOUNDS.messages,
    )
      .sql(` AS newest) AS sized WHERE bytes <= ${LOAD_BOUNDS.bytes} ORDER BY id`)
      .statement(),
    find: (id) =>
      addNewest(begin('SELECT 1 FROM '), 'message', LOAD_BOUNDS.messages)
        .sql(` AS newest WHERE message->>'id' = `)
        .value(id)
        .sql(' LIMIT 1')
        .statement(),
    insert: (messages, { operation }) => {
      const builder = addTable(begin('INSERT INTO ')).sql(' (session_id, message) VALUES ');
      return builder
        .list([...messages.entries()], ([index, message]) => {
          const { type, data } = toStoredMessage(message, messageId(operation, index));
          builder
            .sql('(')
            .value(conversation)
            .sql(', ')
            .value({ ...data, type })
            .sql(')');
        })
        .statement();
    },
    remove: (count) => {
      const builder = addTable(begin('DELETE FROM ')).sql(' WHERE session_id = ').value(conversation);
      if (count === undefined) return builder.statement();
      addNewest(builder.sql(' AND id IN '), 'id', count);
      return addTable(builder.sql(' AND (SELECT count(*) FROM '))
        .sql(' WHERE session_id = ')
        .value(conversation)
        .sql(`) >= ${Math.trunc(count)}`)
        .statement();
    },
  };
}

/** A number of 64 bits for an advisory lock. */
const lockKey = (parts: readonly string[]): bigint =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readBigInt64BE();
