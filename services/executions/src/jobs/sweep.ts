import type { Logger } from '@weft/service-kit/logging';
import type { Share } from '../domain/sweep-ports';

/** One step of a sweep. Returns true if there is more to do at once. */
export interface SweepStep {
  readonly name: string;
  readonly run: () => Promise<boolean | void>;
}

/**
 * One pass of the sweeper: every step in order. A step that fails is logged and does not prevent others from running.
 * Several replicas may sweep at the same time: each change is a compare-and-set that one of them wins.
 */
export const createSweep = (steps: readonly SweepStep[], logger: Logger) => async (): Promise<boolean> => {
  let more = false;
  for (const { name, run } of steps) {
    try {
      if ((await run()) === true) more = true;
    } catch (error) {
      logger.warn({ err: error, step: name }, 'a step of the sweep failed');
    }
  }
  return more;
};

/** Number of rows a job reads at once, so that about `most` of them belong to this replica. */
export const pageOf = (share: Share, most: number): number => most * Math.min(share.count(), 10);

/** The id of an entry that was found due. */
export const idOf = ({ _id }: { readonly _id: string }): string => _id;
