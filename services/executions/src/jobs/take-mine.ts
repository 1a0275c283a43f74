import type { Share } from '../domain/sweep-ports';

/** Milliseconds for which something may be found due again and again before any replica takes it: whoever should look after it does not. */
export const TAKEOVER_MS = 30_000;

/** What a job reads at once, so that about `most` of it belong to this replica. */
export const pageOf = (share: Share, most: number): number => most * Math.min(share.count(), 10);

/** Something that was found due. */
interface Due {
  readonly _id: string;
}

/** Picks out of what is due what this replica is to do. */
export type TakeMine = <Found extends Due>(found: readonly Found[]) => Found[];

/**
 * Leaves to the other replicas what they look after, as long as they do: what this one has seen due for TAKEOVER_MS it
 * takes itself. One for each job, since it remembers what the job found the last time.
 * @param elapsed milliseconds of a clock that never jumps.
 */
export const createTakeMine = (share: Share, elapsed: () => number = () => performance.now()): TakeMine => {
  let seenBefore = new Map<string, number>();
  return (found) => {
    const now = elapsed();
    const others = new Map<string, number>();
    const mine = found.filter(({ _id }) => {
      if (share.isMine(_id)) return true;
      const since = seenBefore.get(_id) ?? now;
      others.set(_id, since);
      return now - since >= TAKEOVER_MS;
    });
    seenBefore = others;
    return mine;
  };
};
