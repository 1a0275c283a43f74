import { cancelWrite, parentEnded } from '../state/free-writes';
import type { ApplyWrite, Clock } from '../state/ports';

/** Ends the children of an execution that has ended and waited for them. Safe to repeat. @throws Unavailable */
export type CancelChildren = (parentId: string) => Promise<void>;

/**
 * Ids of at most `most` children of an execution that have not ended, without those it does not wait for.
 * @throws Unavailable
 */
export type FindLiveChildren = (parentId: string, most: number) => Promise<readonly string[]>;

/** Ports of cancelling children. */
export interface CancelChildrenPorts {
  readonly findLiveChildren: FindLiveChildren;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
  readonly retentionMs: number;
}

const MOST = 200;
/** A run has at most this many node runs, so no more calls than that can be open. */
const ROUNDS = 50;

/** Cancels children; each of them cancels its own in turn, by its own follow-ups. */
export const createCancelChildren =
  ({ findLiveChildren, apply, clock, retentionMs }: CancelChildrenPorts): CancelChildren =>
  async (parentId) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const children = await findLiveChildren(parentId, MOST);
      await Promise.all(
        children.map((id) => apply(id, cancelWrite(new Date(clock()), retentionMs, parentEnded(parentId)))),
      );
      if (children.length < MOST) return;
    }
  };
