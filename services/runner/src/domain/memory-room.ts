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

interface Request {
  readonly holder: Holder;
  readonly bytes: number;
  readonly settle: (error?: unknown) => void;
}

/** Part of the memory that the runs of one owner take of which the others can make use as well. */
const OWNER_PART = 0.5;
/** Who holds less is nobody for whose end it is worth to wait. */
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

  const sumOf = (isCounted: (holder: Holder) => boolean): number => {
    let bytes = 0;
    for (const holder of holders) if (isCounted(holder)) bytes += holder.size();
    return bytes;
  };
  const heldBy = (ownerKey: string): number => sumOf((holder) => holder.ownerKey === ownerKey);
  /** Whoever holds much waits as well: none of them would give anything back. */
  const isStuck = (): boolean => {
    for (const holder of holders) if (holder.waiting === 0 && holder.size() > SMALL_BYTES) return false;
    return true;
  };
  const isOverPart = ({ holder, bytes }: Pick<Request, 'holder' | 'bytes'>): boolean => {
    const others = heldBy(holder.ownerKey) - holder.size();
    return others > SMALL_BYTES && others + holder.size() + bytes > OWNER_PART * roomBytes();
  };
  const fits = (bytes: number): boolean => sumOf(() => true) + bytes <= roomBytes();

  const retry = (): void => {
    while (requests.size > 0) {
      const inOrder = [...requests].sort((a, b) => heldBy(a.holder.ownerKey) - heldBy(b.holder.ownerKey));
      const isAnyway = isStuck();
      const next = inOrder.find((request) => isAnyway || !isOverPart(request));
      if (next === undefined || (!isAnyway && !fits(next.bytes))) return;
      next.settle();
    }
  };
  return {
    ask: (holder, bytes, { take, late, signal }) => {
      if (requests.size === 0 && !isOverPart({ holder, bytes }) && fits(bytes)) {
        take();
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        holder.waiting += 1;
        let isSettled = false;
        const giveUp = (): void => settle(signal?.reason);
        const timer = setTimeout(() => settle(late()), MAX_WAIT_MS);
        timer.unref();
        const settle = (error?: unknown): void => {
          if (isSettled) return;
          isSettled = true;
          leave();
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          holder.waiting -= 1;
          if (error === undefined) {
            take();
            resolve();
          } else reject(error);
        };
        const leave = requests.add({ holder, bytes, settle });
        signal?.addEventListener('abort', giveUp, { once: true });
        if (signal?.aborted === true) giveUp();
        else retry();
      });
    },
    retry,
    forget: (holder) => {
      for (const request of requests)
        if (request.holder === holder) request.settle(new Error('The run has gone on without it.'));
    },
  };
};
