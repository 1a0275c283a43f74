import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InTree } from '../processes/command-line';
import { ManagedProcess } from '../processes/managed-process';
import { runCommand, tryCommand } from '../processes/run-command';
import { giveToServerUser } from '../processes/server-user';
import { lastLines } from '../processes/log-file';
import { StackError } from '../errors';
import { waitUntil } from '../wait-until';
import type { MongodbPlan } from './mongodb-server';

/** Name of the PostgreSQL server in logs and ledger. */
export const POSTGRES = 'postgres';

/** Stop signal and time of PostgreSQL: SIGINT ends open sessions, writes a checkpoint and stops. */
export const POSTGRES_STOP = { signal: 'SIGINT', graceMs: 15_000 } as const;

/** Folder of its programs inside the tree. */
export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/18/bin';

/** Settings of a PostgreSQL for Weft or another program, on one machine. */
export const STORE_SETTINGS = {
  // containers have little /dev/shm
  dynamic_shared_memory_type: 'sysv',
  jit: 'off',
  shared_buffers: '128MB',
  max_connections: '200',
  // no replica ever reads this log, so it need not hold more than a crash needs
  wal_level: 'minimal',
  max_wal_senders: '0',
  log_min_messages: 'warning',
} as const;

/**
 * Folder of its socket: the current folder of the server and of its clients, which is that of the database. No other
 * user may enter it. The paths of sockets are limited to 107 bytes, which a data folder may exceed.
 */
export const SOCKET_FOLDER = '/proc/self/cwd';

const SETTINGS: Readonly<Record<string, string>> = {
  ...STORE_SETTINGS,
  // only FerretDB and our own set-up talk to it
  listen_addresses: '',
  unix_socket_directories: SOCKET_FOLDER,
  'cron.host': SOCKET_FOLDER,
  'documentdb.localhost_connection_string': `host=${SOCKET_FOLDER}`,
  // the only time zone that PostgreSQL has without files of the machine
  timezone: 'GMT',
  log_timezone: 'GMT',
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb_extended_rum,pg_documentdb',
  'cron.database_name': 'postgres',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  // else it and pg_cron look for indexes to build, two new sessions a second
  'documentdb.force_index_builds_blocking': 'on',
  'documentdb.enableBackgroundWorker': 'off',
  // sorted reads come from an index only with this handler, and only for indexes made after it is set
  'documentdb.alternate_index_handler_name': 'extended_rum',
};

// written data is then in the system's memory, which survives the death of the server's processes
const THROWAWAY: Readonly<Record<string, string>> = { fsync: 'off', full_page_writes: 'off' };

// creates the missing parts of a new database, and updates one that an older release made
const EXTENSIONS = `
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS documentdb CASCADE;
CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum;
ALTER EXTENSION documentdb_core UPDATE;
ALTER EXTENSION documentdb UPDATE;
ALTER EXTENSION documentdb_extended_rum UPDATE;
UPDATE cron.job SET active = false WHERE active AND jobname LIKE 'documentdb_index_build_task%';
`;

/** Creates an empty database cluster in a new folder. */
export async function initPostgres(inTree: InTree, database: string): Promise<void> {
  mkdirSync(database);
  await giveToServerUser(database);
  const { command, args } = inTree(
    `${POSTGRES_PROGRAMS}/initdb`,
    ...['-D', database, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'],
  );
  await runCommand(command, args, { cwd: database });
}

/** Settings of one start. */
interface PostgresPlan extends Pick<MongodbPlan, 'data' | 'ledger' | 'isThrowaway'> {
  /** Folder of the database. */
  readonly database: string;
}

/**
 * Starts PostgreSQL and waits until it answers with the extension loaded.
 * Throws a sentence with its last log lines if it does not come up within 60 s (it may have a crash to recover from).
 */
export async function startPostgres(inTree: InTree, plan: PostgresPlan): Promise<ManagedProcess> {
  await giveToServerUser(plan.database);
  const deadline = Date.now() + 60_000;
  for (;;) {
    const server = spawnPostgres(inTree, plan);
    const ready = await waitUntil(async () => (server.hasEnded ? 'ended' : (await isReady(inTree, plan)) && 'ready'), {
      limitMs: 60_000,
      everyMs: 20,
    });
    if (ready === 'ready') return server;
    if (ready === 'ended' && waitsForPredecessor(server) && Date.now() < deadline) continue;
    await server.stop();
    throw server.describeEnd();
  }
}

function spawnPostgres(inTree: InTree, { database, data, ledger, isThrowaway = false }: PostgresPlan): ManagedProcess {
  const settings = Object.entries({ ...SETTINGS, ...(isThrowaway ? THROWAWAY : {}) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return ManagedProcess.start({
    name: POSTGRES,
    ...inTree(`${POSTGRES_PROGRAMS}/postgres`, '-D', database, ...settings),
    cwd: database,
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    logFile: join(data, 'logs/postgres.log'),
    stopManner: POSTGRES_STOP,
    ledger,
  });
}

async function isReady(inTree: InTree, { database }: PostgresPlan): Promise<boolean> {
  const { command, args } = inTree(
    `${POSTGRES_PROGRAMS}/psql`,
    ...['-q', '-h', SOCKET_FOLDER, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', 'postgres'],
  );
  const { code, stderr } = await tryCommand(command, args, { cwd: database, input: EXTENSIONS, limitMs: 30_000 });
  if (code === 3) throw new StackError(`The database refuses its extension: ${stderr.trim()}`);
  return code === 0;
}

/** After a SIGKILL the server's children take a moment to notice and let go of the shared memory. */
function waitsForPredecessor(server: ManagedProcess): boolean {
  return lastLines(server.logFile, 20).some(
    (line) => line.includes('shared memory block') || line.includes('lock file "postmaster.pid" already exists'),
  );
}
