import type { Query, Schema } from 'mongoose';

/** Documents per batch: more than any read here asks for. The server ends a batch at 16 MB in any case. */
const BATCH_SIZE = 100_000;

/**
 * Makes every find return its documents in one batch unless it asks for another size. A MongoDB on PostgreSQL (FerretDB
 * with DocumentDB) reads each further batch, by default after 101 documents, from the current state and from where the
 * last batch ended: a document written in between moves, and is missed or returned twice.
 */
export const inOneBatch = (schema: Schema): void => {
  schema.pre('find', function (this: Query<unknown, unknown>) {
    if (this.getOptions().batchSize === undefined) this.batchSize(BATCH_SIZE);
  });
};
