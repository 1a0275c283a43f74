/** Executions of each owner in this process. */
export interface CrowdedOwners {
  /** An execution of an owner begins. @returns what to call at its end */
  readonly began: (ownerId: string) => () => void;
  /** Tells of owners again for as long as it is true; to be called often. */
  readonly tick: () => void;
}

/** When an owner takes too much of this process. */
export interface CrowdBounds {
  /** An owner who has so many executions here has many. 0: nobody does. */
  readonly most: number;
  /** True if hardly any slot is left. */
  readonly isFull: () => boolean;
  /** Tells the service that further executions of this owner are to leave slots to those of others. */
  readonly tell: (ownerId: string) => void;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

interface Crowd {
  count: number;
  toldAt: number;
}

/** Of each owner it is told once in so many milliseconds. */
const TELL_MS = 1_000;

/** Counts executions by owner, and tells of those who have many while hardly any slot is left. */
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
