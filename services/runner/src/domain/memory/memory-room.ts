import { InFlightSet } from '@weft/service-kit/in-flight';

/** A run that uses memory, or requests some. */
export interface Holder {
  readonly ownerKey: string;
  /** Bytes in use. */
  readonly size: () => number;
  /** Bytes in use that slow servers fill: it is unknown when they will be released. */
  readonly slowSize: () => number;
  /** Number of its waiting requests. */
  waiting: number;
}

/** Memory of a process for data fetched by runs. */
export interface MemoryRoom {
  /**
   * Resolves when there is room for a number of bytes, after `take` was called.
   * @throws the reason of the signal, or `late()` after five minutes
   */
  readonly ask: (holder: Holder, bytes: number, wait: Wait) => Promise<void>;
  /** Called when memory was released. */
  readonly retry: () => void;
  /** Cancels the waiting requests of a run. */
  readonly forget: (holder: Holder) => void;
}

/** A request of a run for memory. */
export interface Wait {
  /** True for bytes that a slow server fills. */
  readonly isSlow?: boolean;
  /** Counts the bytes in the tick in which they are granted. */
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

/** Share of the memory that the runs of one owner may use together. */
const OWNER_PART = 0.5;
/** Share that slow servers may fill for one owner. */
const SLOW_PART = 0.25;
/** Runs that use less are not waited for. */
const SMALL_BYTES = 1024 * 1024;
const MAX_WAIT_MS = 300_000;

/** Bytes that the runs of an owner use. */
interface OwnerSum {
  quick: number;
  slow: number;
  /** The part of `slow` used by runs that do not wait. */
  arriving: number;
}

/**
 * Limits what runs fetch concurrently to the available memory. The next request is that of the owner who uses the
 * least. One owner may use half of the memory, a quarter for slow responses, or more with a single run; a request above
 * the total is granted when no other run is about to release memory.
 * @param holders all runs
 * @param roomBytes bytes that all runs may use together now
 */
export const createMemoryRoom = (holders: Iterable<Holder>, roomBytes: () => number): MemoryRoom => {
  const requests = new InFlightSet<Request>();

  /** Computes current use in one pass over all runs, since many may run and wait. */
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
      /** All large runs wait as well, or for a slow server: none of them would release memory. */
      isStuck: ({ isSlow }: Asked): boolean => isIdle && !(isSlow && arriving > SMALL_BYTES),
    };
  };
  /** The request to grant next, if any. */
  const findNext = (): Request | undefined => {
    const { isStuck, heldBy, isOverPart, fits } = survey();
    let next: Request | undefined;
    for (const request of requests) {
      if (!isStuck(request) && isOverPart(request)) continue;
      if (next === undefined || heldBy(request) < heldBy(next)) next = request;
    }
    return next === undefined || isStuck(next) || fits(next) ? next : undefined;
  };
  /** Whether the queue is empty and this request can be granted. */
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
        /** @returns false if it had already ended */
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
        if (request.holder === holder) request.fail(new Error('The run continued without it.'));
    },
  };
};
