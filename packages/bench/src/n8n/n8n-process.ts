import {
  findPlaces,
  freePorts,
  ManagedProcess,
  openDataFolder,
  removeDatabases,
  StackError,
  temporaryFolder,
  waitUntil,
  type DataFolder,
  type PostgresServer,
  type Report,
} from '@weft/local-stack';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedProcess } from '../cpu/process-cpu';
import { fieldOf } from '../json-client';
import { n8nEnvironment } from './n8n-environment';

/** Starts an empty database for n8n alone. */
export type StartDatabase = (cache: string, folder: DataFolder, report: Report) => Promise<PostgresServer>;

/** An n8n that accepts requests, with its PostgreSQL. */
export interface N8nProcess {
  readonly baseUrl: string;
  readonly pid: number;
  readonly processes: readonly NamedProcess[];
  /** Milliseconds from its start, with the making of its tables, until it was ready. */
  readonly readyMs: number;
  /** Rejects when it ends without being stopped; never resolves. */
  readonly failed: Promise<never>;
  readonly stop: () => Promise<void>;
}

const PACKAGE = 'node_modules/n8n';
const PROGRAM = `${PACKAGE}/bin/n8n`;
/** It makes its tables at the first start. */
const READY_LIMIT_MS = 300_000;
const STOP = { signal: 'SIGTERM', graceMs: 20_000 } as const;

/** @throws StackError if no n8n is installed in that folder */
export const checkN8n = (folder: string): void => {
  if (!existsSync(join(folder, PROGRAM)))
    throw new StackError(
      `${folder} has no ${PROGRAM}. Install n8n there (npm install --prefix ${folder} n8n@2.41.1), or name the ` +
        'folder in which it is installed.',
    );
};

/** The version of the n8n in a folder. */
export const n8nVersion = (folder: string): string =>
  String(fieldOf(JSON.parse(readFileSync(join(folder, PACKAGE, 'package.json'), 'utf8')), 'version'));

const isReady = async (baseUrl: string): Promise<boolean> => {
  try {
    return (await fetch(`${baseUrl}/healthz/readiness`)).ok;
  } catch {
    return false; // it does not listen yet
  }
};

const whenEnded = (n8n: ManagedProcess, isExpected: () => boolean): Promise<never> => {
  const failed = new Promise<never>((_, reject) => {
    void n8n.ended.then(() => (isExpected() ? undefined : reject(n8n.describeEnd())));
  });
  failed.catch(() => undefined); // avoids an unhandled rejection while no caller waits
  return failed;
};

type Started = Pick<N8nProcess, 'baseUrl' | 'readyMs'> & { readonly n8n: ManagedProcess };

const startBeside = async (postgres: PostgresServer, installed: string, data: DataFolder): Promise<Started> => {
  const [port = 0, brokerPort = 0] = await freePorts(2);
  const baseUrl = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const n8n = ManagedProcess.start({
    name: 'n8n',
    command: process.execPath,
    args: [join(installed, PROGRAM), 'start'],
    env: n8nEnvironment({ port, brokerPort, folder: data.path, postgres }),
    cwd: data.path,
    logFile: join(data.path, 'logs/n8n.log'),
    stopManner: STOP,
    ledger: data.ledger,
  });
  const ready = await waitUntil(() => n8n.hasEnded || isReady(baseUrl), { limitMs: READY_LIMIT_MS, everyMs: 100 });
  const readyMs = performance.now() - began;
  if (ready === true && !n8n.hasEnded) return { baseUrl, readyMs, n8n };
  n8n.throwIfEnded();
  await n8n.stop();
  throw new StackError(`n8n did not get ready; its log is ${n8n.logFile}.`);
};

/** Starts the n8n of a folder with an empty database, both below the data folder of this checkout. */
export const startN8n = async (
  installed: string,
  startDatabase: StartDatabase,
  report: Report,
): Promise<N8nProcess> => {
  const { cache, data } = findPlaces(process.env);
  const folder = await openDataFolder(temporaryFolder(data), report);
  let postgres: PostgresServer | undefined;
  let isStopping = false;
  const clear = async (): Promise<void> => {
    await postgres?.stop();
    removeDatabases(folder.path);
    folder.release();
  };
  try {
    postgres = await startDatabase(cache, folder, report);
    const { n8n, ...started } = await startBeside(postgres, installed, folder);
    return {
      ...started,
      pid: n8n.pid,
      processes: [
        { name: 'n8n', pid: n8n.pid, showsChildren: true },
        { name: 'postgres', pid: postgres.pid, showsChildren: false },
      ],
      failed: whenEnded(n8n, () => isStopping),
      stop: async () => {
        isStopping = true;
        await n8n.stop();
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
};
