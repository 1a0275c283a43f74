import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { startTestServer, type TestServer } from '../debian/test-servers';
import type { Report } from '../errors';
import { programsOf } from '../debian/unpacked-programs';
import { POSTGRES_PROGRAMS, STORE_SETTINGS } from '../mongodb/postgres';

import { freePort } from '../processes/free-port';
import { runCommand } from '../processes/run-command';
import type { DataFolder } from '../stack/data-folder';
import { DATABASE_LOGIN, databasesRecipe, databaseTreeOf, emptyDatabasesOf } from './database-tree';

/** A PostgreSQL with an empty database, on a port of 127.0.0.1. */
export interface PostgresServer {
  readonly port: number;
  readonly login: typeof DATABASE_LOGIN;
  readonly pid: number;
  stop(): Promise<void>;
}

// a request for TLS, which PostgreSQL answers with one byte as soon as it accepts connections
const HELLO = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A PostgreSQL of the tree, with settings over its defaults. `data`: folder of the databases */
export const postgresServer = (
  name: string,
  port: number,
  data: string,
  settings: Readonly<Record<string, string>>,
): TestServer => ({
  name,
  port,
  program: [
    `${POSTGRES_PROGRAMS}/postgres`,
    ...['-D', join(data, 'postgres')],
    ...Object.entries({
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      ...settings,
    }).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
  ],
  hello: HELLO,
  stopSignal: 'SIGKILL',
});

/**
 * Copies empty databases to `databases` of the data folder; unpacks their programs first if the cache lacks them.
 * @param names of the folders to copy
 * @returns their folder, and the tree of the programs
 * @throws StackError where they cannot be set up
 */
export async function layDatabases(
  cache: string,
  folder: DataFolder,
  names: readonly ('postgres' | 'mariadb')[],
  report: Report,
): Promise<{ readonly data: string; readonly tree: string }> {
  const built = await builtOnce(cache, databasesRecipe(report), report);
  const data = join(folder.path, 'databases');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const from = names.map((name) => join(emptyDatabasesOf(built), name));
  await runCommand('cp', ['--archive', '--reflink=auto', ...from, data]);
  return { data, tree: databaseTreeOf(built) };
}

/** Starts a PostgreSQL for a program that is compared with Weft: it has the settings of the one below Weft's store. */
export async function startPostgresServer(cache: string, folder: DataFolder, report: Report): Promise<PostgresServer> {
  const { data, tree } = await layDatabases(cache, folder, ['postgres'], report);
  const port = await freePort();
  const server = await startTestServer(
    postgresServer('own-postgres', port, data, STORE_SETTINGS),
    programsOf(tree),
    folder,
  );
  return { port, login: DATABASE_LOGIN, pid: server.pid, stop: () => server.stop() };
}
