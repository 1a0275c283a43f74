/** Share of what an instance may hold that one user or project may have: who takes all of it leaves room for others. */
const OWNER_SHARE = 0.8;

/** Counts what an owner has; undefined: what all have. */
export type CountOwnedBy = (ownerId?: string) => Promise<number>;

/**
 * The bound that keeps an owner from having one more; undefined if there is none. Creations at the same moment may
 * exceed it by their number.
 * @param max what the instance may hold
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
