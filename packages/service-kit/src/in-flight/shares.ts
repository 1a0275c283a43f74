/** Divides a budget between owners, so that none of them can use all of it. */
export interface Shares {
  /** Takes an amount for an owner. @returns false if it would exceed the owner's share or the whole budget */
  readonly take: (owner: string, amount: number) => boolean;
  readonly give: (owner: string, amount: number) => void;
  /** Total amount taken. */
  readonly taken: () => number;
}

/** Creates a budget of which each owner may hold at most `share`. Owners that hold nothing are forgotten. */
export const createShares = (total: number, share: number): Shares => {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    take: (owner, amount) => {
      const own = (held.get(owner) ?? 0) + amount;
      if (own > share || taken + amount > total) return false;
      held.set(owner, own);
      taken += amount;
      return true;
    },
    give: (owner, amount) => {
      const own = (held.get(owner) ?? 0) - amount;
      if (own > 0) held.set(owner, own);
      else held.delete(owner);
      taken -= amount;
    },
    taken: () => taken,
  };
};
