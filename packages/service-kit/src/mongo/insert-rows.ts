import mongoose, { type Connection } from 'mongoose';

/** Every write is acknowledged by a majority, and journalled. */
export const WRITE_CONCERN = { w: 'majority', journal: true } as const;

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
export const insertRows = async (connection: Connection, into: string, rows: readonly object[]): Promise<void> => {
  const { db } = connection;
  if (db === undefined) throw new mongoose.mongo.MongoNotConnectedError('The connection was never open.');
  const { w, journal } = WRITE_CONCERN;
  const answer = await db.command({
    insert: into,
    documents: rows,
    ordered: false,
    writeConcern: { w, j: journal },
  });
  if ('writeErrors' in answer) throw new RowsRefused(answer['writeErrors']);
  const unsure: unknown = answer['writeConcernError'];
  if (unsure !== undefined) throw new NotAcknowledged(unsure);
};
