import { Unavailable } from '@weft/service-kit/errors';

/** Maximum number of requests per process, of all and of one user or owner. */
export interface ShareLimits {
  /** Under way at once. */
  readonly all: number;
  readonly each: number;
  /** Waiting until earlier ones end. */
  readonly waiting: number;
  readonly eachWaiting: number;
  /** Milliseconds after which one that waits is refused. */
  readonly waitMs: number;
}

/** Within the time that callers allow above the limit of 10 s of the request itself. */
export const SHARE_LIMITS: ShareLimits = { all: 16, each: 2, waiting: 64, eachWaiting: 8, waitMs: 1_500 };

/** Messages for those that are refused. */
export interface ShareMessages {
  readonly all: string;
  readonly each: string;
}

/** Seconds after which a refused call is worth repeating. */
const RETRY_SECONDS = 2;

interface Waiting {
  readonly id: string;
  readonly begin: () => void;
}

/**
 * Limits work so that slow services of one user or owner leave room for those of others. Work beyond a limit waits for
 * its turn.
 * @returns does the work within the share of an id @throws Unavailable if there is no room in time
 */
export const createShares = (limits: ShareLimits, messages: ShareMessages) => {
  const underWay = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;
  const refusal = (id: string): Unavailable =>
    new Unavailable(isOver(id) ? messages.each : messages.all, undefined, RETRY_SECONDS);
  const isOver = (id: string): boolean => (underWay.get(id) ?? 0) >= limits.each;
  const hasRoom = (id: string): boolean => !isOver(id) && total < limits.all;
  const begin = (id: string): void => {
    underWay.set(id, (underWay.get(id) ?? 0) + 1);
    total += 1;
  };
  const end = (id: string): void => {
    const own = (underWay.get(id) ?? 1) - 1;
    if (own === 0) underWay.delete(id);
    else underWay.set(id, own);
    total -= 1;
    for (const next of waiting) if (hasRoom(next.id)) next.begin();
  };
  const waitForTurn = (id: string): Promise<void> => {
    const own = [...waiting].filter((one) => one.id === id).length;
    if (own >= limits.eachWaiting || waiting.size >= limits.waiting) throw refusal(id);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = {
      id,
      begin: () => {
        leave();
        begin(id);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(refusal(id));
    }, limits.waitMs);
    const leave = (): void => {
      clearTimeout(timer);
      waiting.delete(entry);
    };
    waiting.add(entry);
    return promise;
  };
  return async function withinShare<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    if (hasRoom(id)) begin(id);
    else await waitForTurn(id);
    try {
      return await work();
    } finally {
      end(id);
    }
  };
};
