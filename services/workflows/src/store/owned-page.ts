import { trusted } from 'mongoose';

/** The filter of a page, newest first: what is older than an id, and belongs to an owner; undefined: all. */
export const ownedPage = (afterId: string | undefined, ownerId: string | undefined) => ({
  ...(ownerId === undefined ? {} : { ownerId }),
  ...(afterId === undefined ? {} : { _id: trusted({ $lt: afterId }) }),
});
