/** Executions of each owner in this process. */
export interface CrowdedOwners {
  /** Counts an execution of an owner. @returns a function to call at its end */
  readonly began: (ownerId: string) => () => void;
  /** Repeats reports of owners while they are over the limit; to be called often. */
  readonly tick: () => void;
}

/** When an owner uses too many slots of this process. */
export interface CrowdBounds {
  /** Number of executions from which an owner is reported. 0: never. */
  readonly most: number;
  /** Whether nearly all slots are used. */
  readonly isFull: () => boolean;
  /** Reports that further executions of this owner should leave slots to other owners. */
  readonly tell: (ownerId: string) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface Crowd {
  count: number;
  toldAt: number;
}

/** Milliseconds between reports of the same owner. */
const TELL_MS = 1_000;

/** Counts executions by owner, and reports owners with many of them while nearly all slots are used. */
export const createCrowdedOwners = ({ most, isFull, tell, clock }: CrowdBounds): CrowdedOwners => {
  const crowds = new Map<string, Crowd>();
  const tellIfMany = (ownerId: string, crowd: Crowd): void => {
    if (most === 0 || crowd.count < most || clock() - crowd.toldAt < TELL_MS || !isFull()) return;
    crowd.toldAt = clock();
    tell(ownerId);
  };
  return {
    began: (ownerId) => {
      const crowd = crowds.get(ownerId) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
      crowds.set(ownerId, crowd);
      crowd.count += 1;
      tellIfMany(ownerId, crowd);
      return () => {
        crowd.count -= 1;
        if (crowd.count === 0) crowds.delete(ownerId);
      };
    },
    tick: () => {
      for (const [ownerId, crowd] of crowds) tellIfMany(ownerId, crowd);
    },
  };
};
