import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { ManagedProcess } from '../processes/managed-process';
import { runCommand } from '../processes/run-command';
import { CHROOT_USER, prepareTree } from './chroot';
import type { InTree } from './chroot';
import { FERRETDB_PROGRAM, emptyDatabaseOf, ferretdbRecipe, treeOf } from './ferretdb-tree';
import { restartableMongodb } from './mongodb-server';
import type { MongodbPlan, MongodbRun, MongodbServer } from './mongodb-server';
import { waitForMongodb } from './ping';
import { startPostgres } from './postgres';

/** Name of FerretDB in logs and ledger. */
export const FERRETDB = 'ferretdb';

/** Stop signal and time of FerretDB: it stores nothing, so there is nothing to wait for. */
export const FERRETDB_STOP = { signal: 'SIGTERM', graceMs: 3_000 } as const;

/** Folder of the data folder in which PostgreSQL stores the database. */
export function ferretdbDatabase(data: string): string {
  return join(data, 'mongodb/data/postgres');
}

/** Starts FerretDB on PostgreSQL, built first if the cache lacks it. */
export async function startFerretdb(plan: MongodbPlan): Promise<MongodbServer> {
  const built = await builtOnce(plan.cache, ferretdbRecipe(plan.cache, plan.report), plan.report);
  const home = join(plan.data, 'mongodb');
  const inTree = await prepareTree(treeOf(built), home);
  if (!existsSync(ferretdbDatabase(plan.data))) await copyEmptyDatabase(plan, built);
  return restartableMongodb(`mongodb://127.0.0.1:${plan.port}`, () => startBoth(inTree, plan));
}

async function startBoth(inTree: InTree, plan: MongodbPlan): Promise<MongodbRun> {
  const postgres = await startPostgres(inTree, plan);
  const ferretdb = spawnFerretdb(inTree, plan, 'open');
  try {
    await waitForMongodb(plan.port, () => ferretdb.throwIfEnded());
  } catch (error) {
    await ferretdb.stop();
    await postgres.stop();
    throw error;
  }
  return { processes: [postgres, ferretdb] };
}

/**
 * Starts FerretDB in front of the running PostgreSQL.
 * @param access `login`: a second one, which asks for a login
 */
export function spawnFerretdb(
  inTree: InTree,
  plan: Pick<MongodbPlan, 'data' | 'port' | 'ledger'>,
  access: 'open' | 'login',
): ManagedProcess {
  const name = access === 'open' ? FERRETDB : `${FERRETDB}-login`;
  const state = join(plan.data, 'mongodb/data', name);
  mkdirSync(state, { recursive: true });
  chownSync(state, CHROOT_USER, CHROOT_USER);
  const line = inTree(
    FERRETDB_PROGRAM,
    ...(access === 'open' ? ['--no-auth'] : []),
    '--telemetry=disable',
    '--log-level=ERROR',
    '--debug-addr=',
    `--state-dir=/data/${name}`,
    `--listen-addr=127.0.0.1:${plan.port}`,
    '--postgresql-url=postgres://postgres@/postgres?host=/data',
  );
  return ManagedProcess.start({
    name,
    ...line,
    env: { PATH: process.env['PATH'] },
    logFile: join(plan.data, `logs/${name}.log`),
    stopManner: FERRETDB_STOP,
    ledger: plan.ledger,
  });
}

/** A new stack starts with a copy of an empty database: making one takes ten times as long. */
async function copyEmptyDatabase(plan: MongodbPlan, built: string): Promise<void> {
  const database = ferretdbDatabase(plan.data);
  const draft = `${database}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await runCommand('cp', ['--archive', '--reflink=auto', emptyDatabaseOf(built), draft]);
  renameSync(draft, database);
}
