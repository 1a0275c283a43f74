import { Unavailable } from '@weft/service-kit/errors';

/** Maximum number of requests that are under way at once per process, and for one user or owner. */
export interface ShareLimits {
  readonly all: number;
  readonly each: number;
}

/** Messages for those that are refused. */
export interface ShareMessages {
  readonly all: string;
  readonly each: string;
}

/** Seconds after which a refused call is worth repeating. */
const RETRY_SECONDS = 2;

/**
 * Limits work so that slow services of one user or owner leave room for those of others.
 * @returns does the work within the share of an id @throws Unavailable if there is no room
 */
export const createShares = (limits: ShareLimits, messages: ShareMessages) => {
  const underWay = new Map<string, number>();
  let total = 0;
  const begin = (id: string): void => {
    const own = underWay.get(id) ?? 0;
    if (own >= limits.each) throw new Unavailable(messages.each, undefined, RETRY_SECONDS);
    if (total >= limits.all) throw new Unavailable(messages.all, undefined, RETRY_SECONDS);
    underWay.set(id, own + 1);
    total += 1;
  };
  const end = (id: string): void => {
    const own = (underWay.get(id) ?? 1) - 1;
    if (own === 0) underWay.delete(id);
    else underWay.set(id, own);
    total -= 1;
  };
  return async function withinShare<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    begin(id);
    try {
      return await work();
    } finally {
      end(id);
    }
  };
};
