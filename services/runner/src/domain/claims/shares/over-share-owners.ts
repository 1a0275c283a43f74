import { createTimedMarks } from './timed-marks';

/**
 * Owners over their share: their runs have recently used large data, or much thread time. Their runs move to where
 * they do not delay others.
 */
export interface OverShareOwners {
  /** Records that a run of the owner uses large data or has used the thread for long. */
  readonly mark: (ownerKey: string) => void;
  readonly has: (ownerKey: string) => boolean;
}

/** Owners that are also shared with other runners. */
export interface SharedOverShareOwners extends OverShareOwners {
  /** Records an owner reported by another runner. */
  readonly learn: (ownerKey: string) => void;
}

/** Milliseconds for which an owner stays marked after its last run with large data. */
const OVER_SHARE_MS = 600_000;
/** Milliseconds between reports of the same owner to other runners. */
const TELL_MS = 60_000;
const MAX_OWNERS = 10_000;

/**
 * @param clock monotonic milliseconds
 * @param tell reports to the other runners that the owner uses large data
 */
export const createOverShareOwners = (clock: () => number, tell: (ownerKey: string) => void): SharedOverShareOwners => {
  const overShare = createTimedMarks(clock, OVER_SHARE_MS, MAX_OWNERS);
  const told = createTimedMarks(clock, TELL_MS, MAX_OWNERS);
  return {
    mark: (ownerKey) => {
      overShare.mark(ownerKey);
      if (told.has(ownerKey)) return;
      told.mark(ownerKey);
      tell(ownerKey);
    },
    learn: overShare.mark,
    has: overShare.has,
  };
};
