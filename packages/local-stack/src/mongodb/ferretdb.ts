import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { programsOf } from '../debian/unpacked-programs';
import { ManagedProcess } from '../processes/managed-process';
import { runCommand } from '../processes/run-command';
import { emptyDatabase, ferretdbProgramOf, ferretdbRecipe, treeOf } from './ferretdb-tree';
import { restartableMongodb } from './mongodb-server';
import type { MongodbPlan, MongodbRun, MongodbServer } from './mongodb-server';
import { waitForMongodb } from './ping';
import { SOCKET_FOLDER, startPostgres } from './postgres';

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
  if (!existsSync(ferretdbDatabase(plan.data))) await copyEmptyDatabase(plan, built);
  return restartableMongodb(`mongodb://127.0.0.1:${plan.port}`, () => startBoth(built, plan));
}

async function startBoth(built: string, plan: MongodbPlan): Promise<MongodbRun> {
  const database = ferretdbDatabase(plan.data);
  const postgres = await startPostgres(programsOf(treeOf(built)), { ...plan, database });
  try {
    const ferretdb = await startFerretdbProcess(built, plan, 'open');
    return { processes: [postgres, ferretdb] };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * Starts FerretDB in front of the running PostgreSQL and waits until it answers.
 * @param access `login`: a second one, which asks for a login
 */
export async function startFerretdbProcess(
  built: string,
  plan: Pick<MongodbPlan, 'data' | 'port' | 'ledger'>,
  access: 'open' | 'login',
): Promise<ManagedProcess> {
  const name = access === 'open' ? FERRETDB : `${FERRETDB}-login`;
  const state = join(plan.data, 'mongodb/data', name);
  mkdirSync(state, { recursive: true });
  const ferretdb = ManagedProcess.start({
    name,
    command: ferretdbProgramOf(built),
    args: [
      ...(access === 'open' ? ['--no-auth'] : []),
      '--telemetry=disable',
      '--log-level=ERROR',
      '--debug-addr=',
      `--state-dir=${state}`,
      `--listen-addr=127.0.0.1:${plan.port}`,
      `--postgresql-url=postgres://postgres@/postgres?host=${SOCKET_FOLDER}`,
    ],
    cwd: ferretdbDatabase(plan.data),
    env: { PATH: process.env['PATH'] },
    logFile: join(plan.data, `logs/${name}.log`),
    stopManner: FERRETDB_STOP,
    ledger: plan.ledger,
  });
  try {
    await waitForMongodb(plan.port, () => ferretdb.throwIfEnded());
    return ferretdb;
  } catch (error) {
    await ferretdb.stop();
    throw error;
  }
}

async function copyEmptyDatabase({ cache, data, report }: MongodbPlan, built: string): Promise<void> {
  const database = ferretdbDatabase(data);
  const draft = `${database}.draft`;
  mkdirSync(dirname(database), { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  await runCommand('cp', ['--archive', '--reflink=auto', await emptyDatabase(cache, built, report), draft]);
  renameSync(draft, database);
}
