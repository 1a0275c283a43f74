import mongoose from 'mongoose';

/** Every write is acknowledged by a majority, and journalled. */
export const WRITE_CONCERN = { w: 'majority', journal: true } as const;

/** The part of an answer of the server that is looked at. */
interface InsertAnswer {
  readonly writeErrors?: unknown;
  readonly writeConcernError?: unknown;
}

/** The database of a connection, which has one once it was open. */
interface CommandTaker {
  readonly command: (command: Readonly<Record<string, unknown>>) => Promise<InsertAnswer>;
}

/** The server refused rows of a batch; the others went through. */
class RowsRefused extends Error {
  constructor(readonly writeErrors: unknown) {
    super('The server refused rows of a batch.');
    this.name = 'RowsRefused';
  }
}

/** The rows are in, but it is not known whether they remain: a majority did not say so in time. */
class NotAcknowledged extends Error {
  constructor(override readonly cause: unknown) {
    super('A majority of the servers has not acknowledged a write.');
    // As the driver names it.
    this.name = 'MongoWriteConcernError';
  }
}

/**
 * Inserts rows in one command, in no order. The bulk of the driver forms each row twice, once to see how large it is.
 * @param rows 16 MiB at most, formed for the store
 * @throws an error with `writeErrors` if rows were refused, else one for all of them
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
