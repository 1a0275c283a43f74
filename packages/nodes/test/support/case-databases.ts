import { BSON, MongoClient } from 'mongodb';
import type { CaseDatabase } from '../../src/testing/cases/node-case';
import { jsonOfRow } from '../../src/shared/sql/json-of-row';
import type { DatabaseServer } from './servers';
import { localDatabases, WIDE } from './servers';

/** Runs statements or commands on a server, bypassing the node. */
export interface CaseSession {
  ask(parts: readonly string[]): Promise<unknown>;
  close(): void;
}

/** Environment variables with the URLs of the servers. */
export const VARIABLES: Readonly<Record<CaseDatabase, string>> = {
  mongoDb: 'TEST_MONGODB_URL',
  postgres: 'TEST_POSTGRES_URL',
  mySql: 'TEST_MYSQL_URL',
  redis: 'TEST_REDIS_URL',
};

/** Opens a session of the test. The caller closes it. */
export async function openCaseSession(kind: CaseDatabase, server: DatabaseServer): Promise<CaseSession> {
  if (kind === 'mongoDb') return openMongoSession(server);
  const { databases, close } = localDatabases([server.port]);
  const { signal } = new AbortController();
  const { host, port, credential } = server;
  const login = { host, port, user: String(credential['user']), password: String(credential['password']) };
  if (kind === 'redis') {
    const session = await databases.redis({ ...login, database: 0 }, WIDE, signal);
    return {
      ask: (parts) => session.command(...parts),
      close: () => {
        session.close();
        close();
      },
    };
  }
  const sql = { ...login, database: String(credential['database']) };
  const session =
    kind === 'postgres'
      ? await databases.postgres(sql, { datesAsText: true, largeNumbers: true }, WIDE, signal)
      : await databases.mysql(
          sql,
          { datesAsText: true, largeNumbersAsText: false, decimalNumbers: true },
          WIDE,
          signal,
        );
  return {
    ask: async (parts) => {
      const results = await session.run({ text: parts.join(''), values: [] });
      return results.flatMap(({ rows }) => rows.map(jsonOfRow));
    },
    close: () => {
      session.close();
      close();
    },
  };
}

/** Commands are extended JSON. */
async function openMongoSession({ host, port, credential }: DatabaseServer): Promise<CaseSession> {
  const auth = { username: String(credential['user']), password: String(credential['password']) };
  const client = await MongoClient.connect(`mongodb://${host}:${port}`, { auth });
  const db = client.db(String(credential['database']));
  return {
    ask: async (parts) => {
      const reply = await db.command(BSON.EJSON.parse(parts.join('')));
      return JSON.parse(JSON.stringify(reply['cursor']?.firstBatch ?? reply));
    },
    close: () => void client.close(),
  };
}
