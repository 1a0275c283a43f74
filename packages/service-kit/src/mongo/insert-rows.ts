import mongoose from 'mongoose';

/** Every write is acknowledged by a majority and journalled. */
export const WRITE_CONCERN = { w: 'majority', journal: true } as const;

/** The fields of a server response that are used here. */
interface InsertAnswer {
  readonly writeErrors?: unknown;
  readonly writeConcernError?: unknown;
}

/** A connection with its database, which is set once it has been open. */
interface CommandTaker {
  readonly command: (command: Readonly<Record<string, unknown>>) => Promise<InsertAnswer>;
}

/** The server refused rows of a batch; the others were inserted. */
class RowsRefused extends Error {
  constructor(readonly writeErrors: unknown) {
    super('The server refused rows of a batch.');
    this.name = 'RowsRefused';
  }
}

/** The rows are inserted but may be lost: a majority did not acknowledge them in time. */
class NotAcknowledged extends Error {
  constructor(override readonly cause: unknown) {
    super('A majority of the servers has not acknowledged a write.');
    // The driver's name for it.
    this.name = 'MongoWriteConcernError';
  }
}

/**
 * Inserts rows in one unordered command. The driver's bulk write serializes each row twice, once to determine its size.
 * @param rows at most 16 MiB, in their stored form
 * @throws an error with `writeErrors` if rows were refused, otherwise one for all rows
 */
export const insertRows = async (
  db: CommandTaker | undefined,
  into: string,
  rows: readonly object[],
): Promise<void> => {
  if (db === undefined) throw new mongoose.mongo.MongoNotConnectedError('The connection was never open.');
  const { w, journal } = WRITE_CONCERN;
  const answer = await db.command({
    insert: into,
    documents: rows,
    ordered: false,
    writeConcern: { w, j: journal },
  });
  const { writeErrors, writeConcernError } = answer;
  if (Array.isArray(writeErrors) && writeErrors.length > 0) throw new RowsRefused(writeErrors);
  if (writeConcernError !== undefined) throw new NotAcknowledged(writeConcernError);
};
