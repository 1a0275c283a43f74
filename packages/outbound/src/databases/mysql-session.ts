import { createRequire } from 'node:module';
import type * as Driver from 'mysql2';
import type { Connection, FieldPacket } from 'mysql2';
import type { OpenSocket } from '../mail/mail-sender';
import { OutboundError } from '../http/outbound-http';
import { ServerConnection } from '../sessions/server-connection';
import {
  DatabaseFailed,
  type MysqlOptions,
  type QueryBounds,
  QueryTooLarge,
  type SqlResult,
  type SqlServer,
  type SqlSession,
  type SqlStatement,
  type SqlValue,
} from './databases';

// a driver of many modules, which few runners need: loaded with the first session
const loadLate = createRequire(__filename);

/** Opens a session with a MySQL or MariaDB server. */
export async function openMysql(
  openSocket: OpenSocket,
  server: SqlServer,
  options: MysqlOptions,
  bounds: QueryBounds,
  signal: AbortSignal,
): Promise<SqlSession> {
  const { host, port, user, password, database, tls } = server;
  const connection = await ServerConnection.open(openSocket, { host, port, bounds, signal });
  const { createConnection }: typeof Driver = loadLate('mysql2');
  const client = createConnection({
    ...{ host, user, password, stream: connection.stream },
    ...(database === '' ? {} : { database }),
    ...(tls === undefined ? {} : { ssl: { ...tls, verifyIdentity: tls.checkHost ?? true } }),
    multipleStatements: true,
    supportBigNumbers: true,
    bigNumberStrings: options.largeNumbersAsText,
    decimalNumbers: options.decimalNumbers,
    dateStrings: options.datesAsText,
    timezone: 'Z',
    charset: 'UTF8MB4_UNICODE_CI',
    rowsAsArray: true,
    // no code is made of the columns' names
    disableEval: true,
    // no server may ask for files of this machine
    flags: ['-LOCAL_FILES'],
  });
  client.on('error', (error: Error) => connection.end(error));
  try {
    await connection.login(() => connected(client));
  } catch (error) {
    client.destroy();
    connection.end();
    throw failed(error);
  }
  return {
    run: async (statement) => {
      try {
        return await connection.query(() => run(client, statement, bounds.maxRows));
      } catch (error) {
        if (error instanceof QueryTooLarge) connection.end(error);
        throw failed(error);
      }
    },
    close: () => {
      client.destroy();
      connection.end();
    },
  };
}

function connected(client: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    client.connect((error) => (error === null ? resolve() : reject(error)));
  });
}

/** One result set, or what the server says about a statement that gives no rows. */
interface Outcome {
  readonly names?: readonly string[];
  readonly rows: Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
}

/** Runs a statement: as a prepared one if it has values, so that the server binds them. */
function run(client: Connection, { text, values }: SqlStatement, maxRows: number): Promise<SqlResult[]> {
  return new Promise((resolve, reject) => {
    const query = values.length === 0 ? client.query({ sql: text }) : client.execute({ sql: text }, values.map(bound));
    const outcomes: Outcome[] = [];
    let rows = 0;
    query.on('fields', (fields: readonly FieldPacket[] | undefined) => {
      if (fields !== undefined) outcomes.push({ names: fields.map(({ name }) => name), rows: [], summary: {} });
    });
    query.on('result', (row: unknown) => {
      if (!Array.isArray(row)) {
        outcomes.push({ rows: [], summary: { ...Object(row) } });
        return;
      }
      rows += 1;
      const outcome = outcomes.at(-1);
      // entries, as a column may have any name
      if (rows > maxRows) reject(new QueryTooLarge('rows'));
      else outcome?.rows.push(Object.fromEntries((outcome.names ?? []).map((name, column) => [name, row[column]])));
    });
    query.on('error', reject);
    query.on('end', () =>
      resolve(outcomes.map(({ names, ...outcome }) => ({ ...outcome, hasRows: names !== undefined }))),
    );
  });
}

function bound(value: SqlValue): string | number | boolean | null | Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function failed(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (error.code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return new DatabaseFailed('The server does not support SSL connections', error.code);
  if (error.code === 'HANDSHAKE_SSL_ERROR')
    return new OutboundError('CERTIFICATE', `The TLS certificate of the database was not accepted (${error.message}).`);
  return 'errno' in error && 'sqlMessage' in error ? new DatabaseFailed(error.message, error.code) : error;
}
