import type { Connection } from 'mongoose';
import { Unavailable } from '../errors';
import { untilAvailable } from '../lifecycle';
import type { Logger } from '../logging';
import { connectDatabase, type Database } from './connect';
import { checkMigrated, migrate, NotMigrated, type Schema } from './indexes';
import { isUnreachable } from './store-errors';

/** A database of a service that starts. */
export interface OpenOptions<Prepared> {
  readonly uri: string;
  readonly database: string;
  /** Indexes that it needs. Absent: none are checked here. */
  readonly schema?: Schema;
  /** With a schema: missing indexes are made. Otherwise the start waits until somebody has made them. */
  readonly migrates?: boolean;
  /** What a service does with its database before it serves, such as to take a place among the replicas. */
  readonly prepare: (connection: Connection) => Promise<Prepared>;
  readonly logger: Logger;
}

/**
 * Opens and prepares the database of a service, and waits for its server, and for its migration, as long as it takes.
 * @throws the error of another kind that opening or preparing ended with
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
    isAway: (error) => error instanceof Unavailable || error instanceof NotMigrated || isUnreachable(error),
    logger,
    attempt: async () => {
      const database = await connectDatabase(uri, name);
      try {
        await (migrates ? migrate : checkMigrated)(database.connection, schema);
        return { database, prepared: await prepare(database.connection) };
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  });
