import { existsSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { builtOnce } from '../cache/built-once';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { freePorts } from '../processes/free-port';
import type { DataFolder } from '../stack/data-folder';
import { ferretdbDatabase, startFerretdbProcess } from './ferretdb';
import { ferretdbRecipe } from './ferretdb-tree';

/** User and password of the server that asks for them. */
const LOGIN = { user: 'weft', password: 'test-password-1' } as const;

/** Addresses for tests, as environment variables. */
export interface MongodbVariables {
  /** With the login. */
  readonly TEST_MONGODB_URL: string;
}

/** A server that asks for a login. */
export interface MongodbWithLogin {
  readonly variables: MongodbVariables;
  stop(): Promise<void>;
}

/**
 * Starts a second FerretDB in front of the database of a running one: the one that the services use has no login.
 * @param uri address of the running one
 * @throws StackError if that is not a FerretDB of this data folder
 */
export async function startMongodbWithLogin(
  cache: string,
  folder: DataFolder,
  uri: string,
  report: Report,
): Promise<MongodbWithLogin> {
  if (!existsSync(ferretdbDatabase(folder.path)))
    throw new StackError('The tests of mongoDb nodes are skipped; they need the FerretDB that is set up here.');
  const built = await builtOnce(cache, ferretdbRecipe(cache, report), report);
  await addUser(uri);
  const [port = 0] = await freePorts(1);
  const server = await startFerretdbProcess(built, { ...folder, data: folder.path, port }, 'login');
  return {
    variables: { TEST_MONGODB_URL: `mongodb://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${port}/weft` },
    stop: () => server.stop(),
  };
}

async function addUser(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const admin = client.db('admin');
    const { users }: { users?: unknown[] } = await admin.command({ usersInfo: LOGIN.user });
    if ((users?.length ?? 0) > 0) return;
    const roles = ['readWriteAnyDatabase', 'clusterAdmin'].map((role) => ({ role, db: 'admin' }));
    await admin.command({ createUser: LOGIN.user, pwd: LOGIN.password, roles });
  } finally {
    await client.close();
  }
}
