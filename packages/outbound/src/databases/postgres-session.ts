import { Client, DatabaseError, Query, type QueryArrayConfig, type QueryArrayResult, types } from 'pg';
import type { OpenSocket } from '../mail/mail-sender';
import { ServerConnection } from '../sessions/server-connection';
import {
  DatabaseFailed,
  type PostgresOptions,
  type QueryBounds,
  QueryTooLarge,
  type SqlResult,
  type SqlServer,
  type SqlSession,
  type SqlStatement,
  type SqlValue,
} from './databases';

type Parse = (text: string) => unknown;
type ArrayResults = QueryArrayResult | QueryArrayResult[];

const { DATE, TIMESTAMP, TIMESTAMPTZ, INT8, NUMERIC } = types.builtins;
/** Arrays of DATE, TIMESTAMP, TIMESTAMPTZ and TEXT. */
const [DATES, TIMESTAMPS, TIMESTAMPTZS, TEXTS] = [1182, 1115, 1185, 1009];

/** Opens a session with a PostgreSQL server. */
export async function openPostgres(
  openSocket: OpenSocket,
  server: SqlServer,
  options: PostgresOptions,
  bounds: QueryBounds,
  signal: AbortSignal,
): Promise<SqlSession> {
  const { host, port, user, database, password, tls } = server;
  const connection = await ServerConnection.open(openSocket, { host, port, bounds, signal });
  const client = new Client({
    ...{ host, port, user, database: database === '' ? user : database },
    // a function, as the client looks for an empty password in the environment and in files
    password: () => password,
    ssl: tls ?? false,
    // only once: the client never connects again
    stream: () => connection.stream,
  });
  // every failure reaches the query that waits; between two queries the next one reports it
  client.on('error', (error: Error) => connection.end(error));
  try {
    await connection.login(() => client.connect());
  } catch (error) {
    connection.end();
    throw failed(error);
  }
  const parser = { getTypeParser: (oid: number, format?: string) => parserOf(oid, format, options) };
  const run = (statement: SqlStatement): Promise<readonly SqlResult[]> =>
    new Promise((resolve, reject) => {
      const { text, values } = statement;
      const config: QueryArrayConfig<SqlValue[]> = {
        ...{ text, rowMode: 'array', types: parser },
        ...(values.length === 0 ? {} : { values: [...values] }),
      };
      const query = new Query(config, undefined, (error: Error | null | undefined, result: ArrayResults) => {
        if (error) reject(error);
        else resolve((Array.isArray(result) ? result : [result]).map(resultOf));
      });
      let rows = 0;
      query.on('row', () => {
        rows += 1;
        if (rows > bounds.maxRows) connection.end(new QueryTooLarge('rows'));
      });
      client.query(query);
    });
  return {
    run: async (statement) => {
      try {
        return await connection.query(() => run(statement));
      } catch (error) {
        throw failed(error);
      }
    },
    close: () => connection.end(),
  };
}

function resultOf({ fields, rows, command, rowCount }: QueryArrayResult): SqlResult {
  const names = fields.map(({ name }) => name);
  return {
    // entries, as a column may have any name
    rows: rows.map((row: unknown[]) => Object.fromEntries(names.map((name, column) => [name, row[column]]))),
    hasRows: names.length > 0,
    summary: { command, rowCount },
  };
}

function parserOf(oid: number, format: string | undefined, { datesAsText, largeNumbers }: PostgresOptions): Parse {
  if (oid === TIMESTAMP || oid === TIMESTAMPTZ) return isoOf;
  if (oid === DATE) return datesAsText ? (text) => text : isoOf;
  if (oid === DATES || oid === TIMESTAMPS || oid === TIMESTAMPTZS) {
    const element = oid === DATES && datesAsText ? (text: string) => text : isoOf;
    return (text) => arrayOf(text).map((entry) => (typeof entry === 'string' ? element(entry) : entry));
  }
  if (largeNumbers && oid === INT8) return (text) => Number.parseInt(text, 10);
  if (largeNumbers && oid === NUMERIC) return (text) => Number.parseFloat(text);
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
}

/** A point in time as ISO text, in UTC if it names no zone; what is no such point, like infinity, stays as it is. */
function isoOf(text: string): string {
  const [, date, time = '00:00:00', zone = '+00'] = /^(\d{4,}-\d\d-\d\d)(?: ([\d:.]+)([+-][\d:]+)?)?$/.exec(text) ?? [];
  const at = new Date(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
  return date === undefined || Number.isNaN(at.getTime()) ? text : at.toISOString();
}

function arrayOf(text: string): unknown[] {
  const entries: unknown = types.getTypeParser(TEXTS, 'text')(text);
  return Array.isArray(entries) ? entries : [text];
}

function failed(error: unknown): unknown {
  if (error instanceof DatabaseError)
    return new DatabaseFailed(error.message, error.code ?? '', error.detail ?? error.hint);
  return error;
}
