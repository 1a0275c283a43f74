import type { Connection } from 'mongoose';
import { Unavailable } from '../errors';
import { untilAvailable } from '../lifecycle';
import type { Logger } from '../logging';
import { connectDatabase, type Database } from './connect';
import { isUnreachable } from './store-errors';

/** A database of a service that starts. */
export interface OpenOptions<Prepared> {
  readonly uri: string;
  readonly database: string;
  /** What a service does with its database before it serves: indexes, a place among the replicas. */
  readonly prepare: (connection: Connection) => Promise<Prepared>;
  readonly logger: Logger;
}

/**
 * Opens and prepares the database of a service, and waits for its server for as long as that is away.
 * @throws the error of another kind that opening or preparing ended with
 */
export const openDatabase = <Prepared>({
  uri,
  database: name,
  prepare,
  logger,
}: OpenOptions<Prepared>): Promise<{ readonly database: Database; readonly prepared: Prepared }> =>
  untilAvailable({
    server: 'MongoDB',
    isAway: (error) => error instanceof Unavailable || isUnreachable(error),
    logger,
    attempt: async () => {
      const database = await connectDatabase(uri, name);
      try {
        return { database, prepared: await prepare(database.connection) };
      } catch (error) {
        await database.close();
        throw error;
      }
    },
  });
