import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedProcess } from '../processes/managed-process';
import { restartableMongodb } from './mongodb-server';
import type { MongodbPlan, MongodbRun, MongodbServer } from './mongodb-server';
import { waitForMongodb } from './ping';

/** Name of mongod in logs and ledger. */
export const MONGOD = 'mongod';

/** Stop signal and time of mongod: it writes a checkpoint first. */
export const MONGOD_STOP = { signal: 'SIGTERM', graceMs: 15_000 } as const;

/** Folder of the data folder in which mongod stores its files. */
export function mongodDatabase(data: string): string {
  return join(data, 'mongod');
}

/** Starts a real mongod from the given program and waits until it answers. */
export async function startMongod(program: string, plan: MongodbPlan): Promise<MongodbServer> {
  const folder = mongodDatabase(plan.data);
  mkdirSync(folder, { recursive: true });
  return restartableMongodb(`mongodb://127.0.0.1:${plan.port}`, () => spawnMongod(program, folder, plan));
}

async function spawnMongod(program: string, folder: string, plan: MongodbPlan): Promise<MongodbRun> {
  const server = ManagedProcess.start({
    name: MONGOD,
    command: program,
    args: ['--dbpath', folder, '--bind_ip', '127.0.0.1', '--port', String(plan.port), '--nounixsocket', '--quiet'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    logFile: join(plan.data, 'logs/mongod.log'),
    stopManner: MONGOD_STOP,
    ledger: plan.ledger,
  });
  try {
    await waitForMongodb(plan.port, () => server.throwIfEnded());
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { processes: [server] };
}
