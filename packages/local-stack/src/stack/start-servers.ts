import type { MongodbServer } from '../mongodb/mongodb-server';
import { startMongodb } from '../mongodb/start-mongodb';
import { checkNats } from '../nats/check-nats';
import { findNats } from '../nats/find-nats';
import { NatsServer } from '../nats/nats-server';
import type { Environment } from '../places';
import { freePorts } from '../processes/free-port';
import type { ManagedProcess } from '../processes/managed-process';
import { StackError, messageOf } from '../errors';
import type { Report } from '../errors';
import type { DataFolder } from './data-folder';

/** Settings with which NATS and MongoDB are started. */
export interface ServersPlan {
  /** Cache folder. */
  readonly cache: string;
  readonly folder: DataFolder;
  /** `MONGODB_URI` and `NATS_URL` name servers to use instead of starting our own. */
  readonly environment: Environment;
  readonly report: Report;
  /** The data need not survive a loss of power. */
  readonly isThrowaway?: boolean;
}

/** A NATS and a MongoDB that answer. */
export interface Servers {
  /** Connection string without a database name. */
  readonly mongodbUri: string;
  readonly natsUrl: string;
  /** The NATS server, if the stack started it. */
  readonly nats: NatsServer | undefined;
  readonly mongodb: MongodbServer;
  /** The processes that the stack started. */
  readonly processes: readonly ManagedProcess[];
  /** Stops these processes, NATS first, and returns when they have ended. */
  stop(): Promise<void>;
}

/** Starts both at the same time on free ports of 127.0.0.1, set up first where something is missing. */
export async function startServers(plan: ServersPlan): Promise<Servers> {
  const [natsPort = 0, mongodbPort = 0] = await freePorts(2);
  const { ledger, path: data } = plan.folder;
  const given = plan.environment['NATS_URL'] || undefined;
  const [nats, mongodb] = await Promise.allSettled([
    given === undefined ? startOwnNats(plan, natsPort) : checkNats(given).then(() => undefined),
    startMongodb(plan.environment['MONGODB_URI'], { ...plan, data, ledger, port: mongodbPort }),
  ]);
  if (nats.status === 'fulfilled' && mongodb.status === 'fulfilled') {
    return together(nats.value, given ?? '', mongodb.value);
  }
  if (nats.status === 'fulfilled') await nats.value?.stop();
  if (mongodb.status === 'fulfilled') await mongodb.value.stop();
  throw allErrors([nats, mongodb]);
}

/** Both errors in one where both servers are missing, so that a person can mend them in one go. */
function allErrors(results: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return errors.every((error) => error instanceof StackError)
    ? new StackError(errors.map(messageOf).join('\n'))
    : errors[0];
}

function together(nats: NatsServer | undefined, givenNatsUrl: string, mongodb: MongodbServer): Servers {
  return {
    mongodbUri: mongodb.uri,
    natsUrl: nats?.url ?? givenNatsUrl,
    nats,
    mongodb,
    get processes() {
      return nats === undefined ? mongodb.processes : [nats.process, ...mongodb.processes];
    },
    stop: async () => {
      await nats?.stop();
      await mongodb.stop();
    },
  };
}

async function startOwnNats({ cache, folder, report }: ServersPlan, port: number): Promise<NatsServer> {
  return NatsServer.start({ program: await findNats(cache, report), port, data: folder.path, ledger: folder.ledger });
}
