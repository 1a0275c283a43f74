import { Unavailable } from '../errors';

const MAX_TRIES = 10;

/** The part of a mongoose model that is used here. */
interface Documents<Filter> {
  deleteMany(filter: Filter): PromiseLike<{ readonly deletedCount: number }>;
  exists(filter: Filter): PromiseLike<unknown>;
}

/**
 * Deletes every matching document. A MongoDB on PostgreSQL (FerretDB with DocumentDB) skips a document that is being
 * written concurrently, such as the last use of a session, and reports neither a deletion nor an error. So this checks
 * for leftovers.
 * @returns the number of deleted documents
 * @throws Unavailable if some are left after ten attempts
 */
export const deleteMatching = async <Filter>(model: Documents<NoInfer<Filter>>, filter: Filter): Promise<number> => {
  let deleted = 0;
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    deleted += (await model.deleteMany(filter)).deletedCount;
    if ((await model.exists(filter)) === null) return deleted;
  }
  throw new Unavailable('The data is in use and could not be deleted. Try again.');
};
