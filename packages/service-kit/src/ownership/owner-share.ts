/** Share of an instance limit that one user or project may use, so that there is always room for others. */
const OWNER_SHARE = 0.8;

/** Counts what an owner has; undefined: what all owners have. */
export type CountOwnedBy = (ownerId?: string) => Promise<number>;

/**
 * The limit that an owner has reached; undefined if it may add one more. Concurrent creations may exceed it by their
 * number.
 * @param max limit of the instance
 */
export const boundReached = async (
  count: CountOwnedBy,
  max: number,
  ownerId: string,
): Promise<{ readonly limit: number; readonly isOfOwner: boolean } | undefined> => {
  const share = Math.floor(max * OWNER_SHARE);
  const [all, own] = await Promise.all([count(), count(ownerId)]);
  if (own >= share) return { limit: share, isOfOwner: true };
  return all >= max ? { limit: max, isOfOwner: false } : undefined;
};
