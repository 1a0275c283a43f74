import { join } from 'node:path';
import { FERRETDB_STOP, FERRETDB } from '../mongodb/ferretdb';
import { MONGOD, MONGOD_STOP } from '../mongodb/mongod';
import { POSTGRES } from '../mongodb/postgres';
import { startMongodb } from '../mongodb/start-mongodb';
import { findNats } from '../nats/find-nats';
import { NATS, NATS_STOP, startNats, waitForNats } from '../nats/nats-server';
import { freePorts } from '../processes/free-port';
import { Ledger } from '../processes/ledger';
import type { StopManner } from '../processes/ledger';
import { tryLock } from '../processes/lock';
import type { Lock } from '../processes/lock';
import type { ManagedProcess } from '../processes/managed-process';
import type { Environment } from '../places';
import { StackError } from '../errors';
import type { Report } from '../errors';

/** What NATS and MongoDB are started with. */
export interface ServersPlan {
  readonly cache: string;
  /** Data folder of the stack; made if it is not there. */
  readonly data: string;
  /** `MONGODB_URI` and `NATS_URL` name servers to use instead of starting our own. */
  readonly environment: Environment;
  readonly report: Report;
}

/** A running NATS and MongoDB on one data folder. */
export interface Servers {
  readonly mongodbUri: string;
  readonly natsUrl: string;
  /** The processes of ours among them. */
  readonly processes: readonly ManagedProcess[];
  /** Where further processes of the stack are noted. */
  readonly ledger: Ledger;
  /** Stops ours, NATS first, and gives the data folder free. */
  stop(): Promise<void>;
}

/**
 * Takes the data folder, ends what an earlier stack left running on it, and starts both servers, at the same time,
 * on free ports. Throws a sentence if another stack uses the folder.
 */
export async function startServers(plan: ServersPlan): Promise<Servers> {
  const lock = takeDataFolder(plan.data);
  const ledger = new Ledger(join(plan.data, 'run'));
  try {
    const left = await ledger.clean(stopMannerOf);
    if (left.length > 0) plan.report(`ended what an earlier start had left running: ${left.join(', ')}`);
    return await startBoth(plan, ledger, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startBoth(plan: ServersPlan, ledger: Ledger, lock: Lock): Promise<Servers> {
  const [natsPort = 0, mongodbPort = 0] = await freePorts(2);
  const [nats, mongodb] = await Promise.allSettled([
    startOwnNats(plan, natsPort, ledger),
    startMongodb(plan.environment['MONGODB_URI'], { ...plan, port: mongodbPort, ledger }),
  ]);
  const stop = async (): Promise<void> => {
    if (nats.status === 'fulfilled') await nats.value?.stop();
    if (mongodb.status === 'fulfilled') await mongodb.value.stop();
    lock.release();
  };
  if (nats.status === 'rejected' || mongodb.status === 'rejected') {
    await stop();
    throw nats.status === 'rejected' ? nats.reason : mongodb.status === 'rejected' && mongodb.reason;
  }
  const natsUrl = plan.environment['NATS_URL'] || `nats://127.0.0.1:${natsPort}`;
  const processes = [...(nats.value ? [nats.value] : []), ...mongodb.value.processes];
  return { mongodbUri: mongodb.value.uri, natsUrl, processes, ledger, stop };
}

async function startOwnNats(plan: ServersPlan, port: number, ledger: Ledger): Promise<ManagedProcess | undefined> {
  if (plan.environment['NATS_URL']) return undefined;
  const server = startNats({ program: await findNats(plan.cache, plan.report), port, data: plan.data, ledger });
  try {
    await waitForNats(server, port);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function takeDataFolder(data: string): Lock {
  const attempt = tryLock(join(data, 'run/stack.lock'));
  if ('lock' in attempt) return attempt.lock;
  throw new StackError(`Process ${attempt.holder.pid} already runs on the data folder ${data}. Stop it, or name another folder in WEFT_DATA.`);
}

/** How a left process is ended: the databases need their own signal and time, everything else may go at once. */
function stopMannerOf(name: string): StopManner {
  const manners: Readonly<Record<string, StopManner>> = {
    // the fast way of PostgreSQL without a checkpoint; its log replays at the next start
    [POSTGRES]: { signal: 'SIGQUIT', graceMs: 5_000 },
    [FERRETDB]: FERRETDB_STOP,
    [MONGOD]: MONGOD_STOP,
    [NATS]: NATS_STOP,
  };
  return manners[name] ?? { signal: 'SIGKILL', graceMs: 1_000 };
}
