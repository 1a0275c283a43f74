import { createBoundedCache } from '@weft/service-kit/caching';

/** Owners whose runs have worked with large data lately. Their runs go on where they hold up no others. */
export interface HeavyOwners {
  /** Notes that a run of the owner has large data in hand. */
  readonly mark: (ownerKey: string) => void;
  readonly has: (ownerKey: string) => boolean;
}

/** Owners of which other runners know as well. */
export interface SharedHeavyOwners extends HeavyOwners {
  /** Notes what another runner has said about an owner. */
  readonly learn: (ownerKey: string) => void;
}

/** Milliseconds for which an owner stays one after its last run with large data. */
const HEAVY_MS = 600_000;
/** Others are told of the same owner again after so long. */
const TELL_MS = 60_000;
const MAX_OWNERS = 10_000;

/**
 * @param clock milliseconds that only grow
 * @param tell says to the other runners that the owner has large data
 */
export const createHeavyOwners = (clock: () => number, tell: (ownerKey: string) => void): SharedHeavyOwners => {
  const until = createBoundedCache<string, number>({ maxEntries: MAX_OWNERS });
  const told = createBoundedCache<string, number>({ maxEntries: MAX_OWNERS });
  const learn = (ownerKey: string): void => until.set(ownerKey, clock() + HEAVY_MS);
  return {
    mark: (ownerKey) => {
      learn(ownerKey);
      if ((told.get(ownerKey) ?? Number.NEGATIVE_INFINITY) > clock()) return;
      told.set(ownerKey, clock() + TELL_MS);
      tell(ownerKey);
    },
    learn,
    has: (ownerKey) => (until.get(ownerKey) ?? Number.NEGATIVE_INFINITY) > clock(),
  };
};
