import { Unavailable } from '../errors';

const MAX_TRIES = 10;

/** What is used of a mongoose model. */
interface Documents<Filter> {
  deleteMany(filter: Filter): PromiseLike<{ readonly deletedCount: number }>;
  exists(filter: Filter): PromiseLike<unknown>;
}

/**
 * Deletes every document that matches. A MongoDB on PostgreSQL (FerretDB with DocumentDB) skips a document that is
 * written at the same moment, such as the last use of a session, and counts it neither as deleted nor as a fault. So
 * this looks whether any is left.
 * @returns the number of documents that were deleted
 * @throws Unavailable if some are left although they were to be deleted ten times
 */
export const deleteMatching = async <Filter>(model: Documents<NoInfer<Filter>>, filter: Filter): Promise<number> => {
  let deleted = 0;
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    deleted += (await model.deleteMany(filter)).deletedCount;
    if ((await model.exists(filter)) === null) return deleted;
  }
  throw new Unavailable('What is to be deleted is in use and could not be deleted. Try again.');
};
