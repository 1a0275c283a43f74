import mongoose, { type Connection } from 'mongoose';
import { showReady } from '../metrics';
import { inOneBatch } from './in-one-batch';
import { WRITE_CONCERN } from './insert-rows';
import { showConnections } from './metrics';
import './repair-driver';
import { addProbe } from './store-errors';

/** A database of one service. */
export interface Database {
  readonly connection: Connection;
  /** True if the server answers within a second. */
  readonly isReady: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Timeout for selecting, connecting to and waiting for a server, in milliseconds. */
const STORE_TIMEOUT_MS = 5_000;

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
  try {
    await connection.asPromise();
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
  const hidden = [showReady('store', isReady), showConnections(connection.getClient()), addProbe(isReady)];
  return {
    connection,
    isReady,
    close: () => {
      for (const hide of hidden) hide();
      return connection.close();
    },
  };
};
