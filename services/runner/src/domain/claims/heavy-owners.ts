import { createTimedMarks } from './timed-marks';

/**
 * Owners whose runs have worked with large data, or at the thread for long, lately. Their runs go on where they hold up
 * no others.
 */
export interface HeavyOwners {
  /** Notes that a run of the owner has large data in hand, or has had the thread for long. */
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
  const heavy = createTimedMarks(clock, HEAVY_MS, MAX_OWNERS);
  const told = createTimedMarks(clock, TELL_MS, MAX_OWNERS);
  return {
    mark: (ownerKey) => {
      heavy.mark(ownerKey);
      if (told.has(ownerKey)) return;
      told.mark(ownerKey);
      tell(ownerKey);
    },
    learn: heavy.mark,
    has: heavy.has,
  };
};
