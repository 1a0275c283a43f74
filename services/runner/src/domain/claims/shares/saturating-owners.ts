/** Executions of each owner in this process. */
export interface SaturatingOwners {
  /** Counts an execution of an owner. @returns a function to call at its end */
  readonly began: (ownerId: string) => () => void;
  /** Repeats reports of owners while they are over the limit; to be called often. */
  readonly tick: () => void;
}

/** When an owner uses too many slots of this process. */
export interface SaturationBounds {
  /** Number of executions from which an owner is reported. 0: never. */
  readonly most: number;
  /** Whether nearly all slots are used. */
  readonly isFull: () => boolean;
  /** Reports that further executions of this owner should leave slots to other owners. */
  readonly tell: (ownerId: string) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface OwnerRuns {
  count: number;
  toldAt: number;
}

/** Milliseconds between reports of the same owner. */
const TELL_MS = 1_000;

/** Counts executions by owner, and reports owners with many of them while nearly all slots are used. */
export const createSaturatingOwners = ({ most, isFull, tell, clock }: SaturationBounds): SaturatingOwners => {
  const owners = new Map<string, OwnerRuns>();
  const tellIfMany = (ownerId: string, runs: OwnerRuns): void => {
    if (most === 0 || runs.count < most || clock() - runs.toldAt < TELL_MS || !isFull()) return;
    runs.toldAt = clock();
    tell(ownerId);
  };
  return {
    began: (ownerId) => {
      const runs = owners.get(ownerId) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
      owners.set(ownerId, runs);
      runs.count += 1;
      tellIfMany(ownerId, runs);
      return () => {
        runs.count -= 1;
        if (runs.count === 0) owners.delete(ownerId);
      };
    },
    tick: () => {
      for (const [ownerId, runs] of owners) tellIfMany(ownerId, runs);
    },
  };
};
