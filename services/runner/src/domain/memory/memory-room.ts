import { InFlightSet } from '@weft/service-kit/in-flight';

/** A run that holds memory, or asks for some. */
export interface Holder {
  readonly ownerKey: string;
  /** Bytes that it holds. */
  readonly size: () => number;
  /** Those of them that are filled by servers which send slowly: nobody knows when they are given back. */
  readonly slowSize: () => number;
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
  /** True for bytes that a slow server fills. */
  readonly isSlow?: boolean;
  /** Counts the bytes, in the same tick as they are given. */
  readonly take: () => void;
  readonly late: () => Error;
  readonly signal: AbortSignal | undefined;
}

interface Asked {
  readonly holder: Holder;
  readonly bytes: number;
  readonly isSlow: boolean;
}

interface Request extends Asked {
  readonly grant: () => void;
  readonly fail: (reason: unknown) => void;
}

/** Part of the memory that the runs of one owner may take together. */
const OWNER_PART = 0.5;
/** Part that slow servers may fill for one owner. */
const SLOW_PART = 0.25;
/** Nobody waits for the end of a run that holds less. */
const SMALL_BYTES = 1024 * 1024;
const MAX_WAIT_MS = 300_000;

/** Bytes that the runs of an owner hold. */
interface OwnerSum {
  quick: number;
  slow: number;
  /** Those of `slow` that are held by runs which do not wait. */
  arriving: number;
}

/**
 * Lets runs fetch as much at a time as there is room for. The next one is of the owner who holds least. One owner takes
 * half of it, and a quarter for what comes slowly, or more with a single run; what exceeds all of it goes when no other
 * run is about to give anything back.
 * @param holders all runs
 * @param roomBytes bytes that all runs may hold together now
 */
export const createMemoryRoom = (holders: Iterable<Holder>, roomBytes: () => number): MemoryRoom => {
  const requests = new InFlightSet<Request>();

  /** What is held now, by one look at all runs: there may be many, and many that wait. */
  const survey = () => {
    const owners = new Map<string, OwnerSum>();
    let total = 0;
    let arriving = 0;
    let isIdle = true;
    for (const { ownerKey, size, slowSize, waiting } of holders) {
      const owner = owners.get(ownerKey) ?? { quick: 0, slow: 0, arriving: 0 };
      owners.set(ownerKey, owner);
      const slow = slowSize();
      const quick = size() - slow;
      total += quick + slow;
      owner.quick += quick;
      owner.slow += slow;
      if (waiting > 0) continue;
      owner.arriving += slow;
      arriving += slow;
      if (quick > SMALL_BYTES) isIdle = false;
    }
    const limit = roomBytes();
    const heldBy = ({ holder }: Asked): number => {
      const owner = owners.get(holder.ownerKey);
      return owner === undefined ? 0 : owner.quick + owner.slow;
    };
    const isOverPart = ({ holder, bytes, isSlow }: Asked): boolean => {
      const owner = owners.get(holder.ownerKey);
      if (owner === undefined) return false;
      const own = holder.slowSize();
      if (isSlow) {
        const arrivesForOthers = owner.arriving - (holder.waiting > 0 ? 0 : own);
        return arrivesForOthers > SMALL_BYTES && owner.slow + bytes > SLOW_PART * limit;
      }
      const ofOthers = owner.quick - (holder.size() - own);
      return ofOthers > SMALL_BYTES && owner.quick + bytes > OWNER_PART * limit;
    };
    return {
      heldBy,
      isOverPart,
      fits: ({ bytes }: Asked): boolean => total + bytes <= limit,
      /** Whoever holds much waits as well, or for a slow server: none of them would give anything back. */
      isStuck: ({ isSlow }: Asked): boolean => isIdle && !(isSlow && arriving > SMALL_BYTES),
    };
  };
  /** The request that goes next, if one can. */
  const findNext = (): Request | undefined => {
    const { isStuck, heldBy, isOverPart, fits } = survey();
    let next: Request | undefined;
    for (const request of requests) {
      if (!isStuck(request) && isOverPart(request)) continue;
      if (next === undefined || heldBy(request) < heldBy(next)) next = request;
    }
    return next === undefined || isStuck(next) || fits(next) ? next : undefined;
  };
  /** True if nobody waits, and this would not either. */
  const canGoAtOnce = (asked: Asked): boolean => {
    if (requests.size > 0) return false;
    const { isOverPart, fits } = survey();
    return !isOverPart(asked) && fits(asked);
  };
  const retry = (): void => {
    let next: Request | undefined;
    while (requests.size > 0 && (next = findNext()) !== undefined) next.grant();
  };
  return {
    ask: (holder, bytes, { take, late, signal, isSlow = false }) => {
      const asked: Asked = { holder, bytes, isSlow };
      if (canGoAtOnce(asked)) {
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
        /** The next one may fit where this one did not. */
        const quit = (reason: unknown): void => {
          fail(reason);
          retry();
        };
        const giveUp = (): void => quit(signal?.reason);
        const timer = setTimeout(() => quit(late()), MAX_WAIT_MS);
        timer.unref();
        const grant = (): void => {
          leave();
          take();
          resolve();
        };
        holder.waiting += 1;
        const remove = requests.add({ ...asked, grant, fail });
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
