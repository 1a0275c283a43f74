import { InFlightSet } from '@weft/service-kit/in-flight';

/** A run that holds memory, or asks for some. */
export interface Holder {
  readonly ownerKey: string;
  /** Bytes that it holds. */
  readonly size: () => number;
  /** How many of its requests wait for room. */
  waiting: number;
}

/** Room of a process for what its runs fetch. */
export interface MemoryRoom {
  /**
   * Resolves when there is room for so many more bytes, after `take` was called.
   * @throws the reason of the signal, or `late()` after five minutes
   */
  readonly ask: (holder: Holder, bytes: number, wait: Wait) => Promise<void>;
  /** Memory was given back. */
  readonly retry: () => void;
  /** Nobody waits any more for what a run had asked for. */
  readonly forget: (holder: Holder) => void;
}

/** How a run waits. */
export interface Wait {
  /** Counts the bytes, in the same tick as they are given. */
  readonly take: () => void;
  readonly late: () => Error;
  readonly signal: AbortSignal | undefined;
}

interface Asked {
  readonly holder: Holder;
  readonly bytes: number;
}

interface Request extends Asked {
  readonly grant: () => void;
  readonly fail: (reason: unknown) => void;
}

/** Part of the memory that the runs of one owner may take together. */
const OWNER_PART = 0.5;
/** Nobody waits for the end of a run that holds less. */
const SMALL_BYTES = 1024 * 1024;
const MAX_WAIT_MS = 300_000;

/**
 * Lets runs fetch as much at a time as there is room for. The next one is of the owner who holds least. One owner takes
 * half of it, or more with a single run; what exceeds all of it goes when no other run can give anything back.
 * @param holders all runs
 * @param roomBytes bytes that all runs may hold together now
 */
export const createMemoryRoom = (holders: Iterable<Holder>, roomBytes: () => number): MemoryRoom => {
  const requests = new InFlightSet<Request>();

  /** What is held now, by one look at all runs: there may be many, and many that wait. */
  const survey = () => {
    const byOwner = new Map<string, number>();
    let total = 0;
    let isStuck = true;
    for (const holder of holders) {
      const bytes = holder.size();
      total += bytes;
      byOwner.set(holder.ownerKey, (byOwner.get(holder.ownerKey) ?? 0) + bytes);
      if (holder.waiting === 0 && bytes > SMALL_BYTES) isStuck = false;
    }
    const limit = roomBytes();
    const heldBy = ({ holder }: Asked): number => byOwner.get(holder.ownerKey) ?? 0;
    return {
      /** Whoever holds much waits as well: none of them would give anything back. */
      isStuck,
      heldBy,
      isOverPart: (asked: Asked): boolean =>
        heldBy(asked) - asked.holder.size() > SMALL_BYTES && heldBy(asked) + asked.bytes > OWNER_PART * limit,
      fits: ({ bytes }: Asked): boolean => total + bytes <= limit,
    };
  };
  /** The request that goes next, if one can. */
  const findNext = (): Request | undefined => {
    const { isStuck, heldBy, isOverPart, fits } = survey();
    let next: Request | undefined;
    for (const request of requests) {
      if (!isStuck && isOverPart(request)) continue;
      if (next === undefined || heldBy(request) < heldBy(next)) next = request;
    }
    return next === undefined || isStuck || fits(next) ? next : undefined;
  };
  const retry = (): void => {
    let next: Request | undefined;
    while (requests.size > 0 && (next = findNext()) !== undefined) next.grant();
  };
  return {
    ask: (holder, bytes, { take, late, signal }) => {
      const { isOverPart, fits } = survey();
      if (requests.size === 0 && !isOverPart({ holder, bytes }) && fits({ holder, bytes })) {
        take();
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        /** @returns false if it was over before */
        const leave = (): boolean => {
          if (!remove()) return false;
          holder.waiting -= 1;
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          return true;
        };
        const fail = (reason: unknown): void => {
          if (leave()) reject(reason);
        };
        const giveUp = (): void => fail(signal?.reason);
        const timer = setTimeout(() => fail(late()), MAX_WAIT_MS);
        timer.unref();
        const grant = (): void => {
          leave();
          take();
          resolve();
        };
        holder.waiting += 1;
        const remove = requests.add({ holder, bytes, grant, fail });
        signal?.addEventListener('abort', giveUp, { once: true });
        if (signal?.aborted === true) giveUp();
        else retry();
      });
    },
    retry,
    forget: (holder) => {
      for (const request of requests)
        if (request.holder === holder) request.fail(new Error('The run has gone on without it.'));
    },
  };
};
