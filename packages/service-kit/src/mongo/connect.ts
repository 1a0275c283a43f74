import mongoose, { type Connection } from 'mongoose';
import { addCondition } from '../lifecycle/conditions';
import { showReady } from '../metrics';
import { inOneBatch } from './in-one-batch';
import { WRITE_CONCERN } from './insert-rows';
import { showConnections } from './metrics';
import './repair-driver';
import { createStoreClock, type StoreClock } from './store-clock';
import { addProbe } from './store-errors';

/** Timeout for selecting, connecting to and waiting for a server, in milliseconds. */
const STORE_TIMEOUT_MS = 5_000;

/** A database of one service. */
export interface Database {
  readonly connection: Connection;
  /** True if the server answers within a second. */
  readonly isReady: () => Promise<boolean>;
  /** Unix milliseconds by the clock of the store. */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

/** Maximum difference between the clocks of a ready process and of its store, in milliseconds. */
const MAX_SKEW_MS = 20_000;

const describeSkew = (skewMs: number): string | undefined => {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return `the clock of this process is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the store`;
};

/** Reads the clock of the store, now and with each heartbeat of the driver, which needs no further command. */
const readStoreClock = async (connection: Connection): Promise<StoreClock> => {
  const clock = createStoreClock();
  const noteReply = (reply: unknown, atMs: number): void => {
    if (typeof reply !== 'object' || reply === null || !('localTime' in reply)) return;
    const isPrimary = 'isWritablePrimary' in reply ? reply.isWritablePrimary === true : true;
    if (reply.localTime instanceof Date && isPrimary) clock.note(reply.localTime.getTime(), atMs);
  };
  connection.getClient().on('serverHeartbeatSucceeded', ({ reply, duration, awaited }) => {
    noteReply(reply, performance.now() - (awaited ? 0 : duration / 2));
  });
  const sentAt = performance.now();
  const reply: unknown = await connection.db?.admin().command({ hello: 1 }, { timeoutMS: STORE_TIMEOUT_MS });
  noteReply(reply, (sentAt + performance.now()) / 2);
  return clock;
};

/**
 * Opens the database. Writes are acknowledged by a majority and journalled. The driver's retries are off, because the
 * filter of every write makes it repeatable. A find is answered in one batch.
 */
export const connectDatabase = async (uri: string, database: string): Promise<Database> => {
  mongoose.set('strictQuery', true);
  mongoose.set('sanitizeFilter', true);
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 20,
    writeConcern: WRITE_CONCERN,
    readPreference: 'primary',
    serverSelectionTimeoutMS: STORE_TIMEOUT_MS,
    connectTimeoutMS: STORE_TIMEOUT_MS,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: STORE_TIMEOUT_MS,
    heartbeatFrequencyMS: 2_000,
    retryWrites: false,
    appName: database,
  });
  let clock: StoreClock;
  try {
    await connection.asPromise();
    clock = await readStoreClock(connection);
  } catch (error) {
    // Otherwise its driver keeps looking for the server, in parallel with the next attempt's.
    await connection.close();
    throw error;
  }
  connection.plugin(inOneBatch);
  const isReady = async (): Promise<boolean> => {
    try {
      await connection.db?.admin().ping({ timeoutMS: 1_000 });
      return connection.readyState === mongoose.ConnectionStates.connected;
    } catch {
      return false;
    }
  };
  /** A read like any other, by which a refused operation is judged. */
  const answersReads = async (): Promise<boolean> => {
    try {
      await connection.db?.collection('replicas').findOne({}, { projection: { _id: 1 }, timeoutMS: 1_000 });
      return true;
    } catch {
      return false;
    }
  };
  const isWell = async (): Promise<boolean> => (await isReady()) && (await answersReads());
  const hidden = [
    showReady('store', isReady),
    showConnections(connection.getClient()),
    addProbe(isWell),
    addCondition(() => describeSkew(Date.now() - clock.now())),
  ];
  return {
    connection,
    isReady,
    now: clock.now,
    close: () => {
      for (const hide of hidden) hide();
      return connection.close();
    },
  };
};
