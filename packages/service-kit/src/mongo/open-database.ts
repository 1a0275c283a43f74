import type { Connection } from 'mongoose';
import { Unavailable } from '../errors';
import { untilAvailable } from '../lifecycle';
import type { Logger } from '../logging';
import { connectDatabase, type Database } from './connect';
import { checkMigrated, migrate, NotMigrated, type Schema } from './indexes';
import { isMisconfigured, isUnreachable } from './store-errors';

export interface OpenOptions<Prepared> {
  readonly uri: string;
  readonly database: string;
  /** Indexes that the service needs. Absent: none are checked here. */
  readonly schema?: Schema;
  /** With a schema: create missing indexes. Otherwise the start waits until they have been created. */
  readonly migrates?: boolean;
  /** Prepares the database before the service starts serving, for example by joining the replicas. */
  readonly prepare: (connection: Connection, now: Database['now']) => Promise<Prepared>;
  readonly logger: Logger;
}

/**
 * Opens and prepares the database of a service. Waits for its server and its migration as long as necessary.
 * @throws any other error of opening or preparing
 */
export const openDatabase = <Prepared>({
  uri,
  database: name,
  schema = { indexes: {} },
  migrates = false,
  prepare,
  logger,
}: OpenOptions<Prepared>): Promise<{ readonly database: Database; readonly prepared: Prepared }> =>
  untilAvailable({
    server: 'MongoDB',
    isAway: (error) =>
      error instanceof NotMigrated ||
      (error instanceof Unavailable ? !isMisconfigured(error.cause) : isUnreachable(error) && !isMisconfigured(error)),
    logger,
    attempt: async () => {
      const database = await connectDatabase(uri, name);
      try {
        await (migrates ? migrate : checkMigrated)(database.connection, schema);
        return { database, prepared: await prepare(database.connection, database.now) };
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  });
