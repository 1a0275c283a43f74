import { cancelWrite, parentEnded } from '../state/free-writes';
import type { ApplyWrite, Clock } from '../state/ports';

/** Cancels the children that an ended execution waited for. Safe to repeat. @throws Unavailable */
export type CancelChildren = (parentId: string) => Promise<void>;

/**
 * Ids of at most `most` children of an execution that have not ended, except detached ones.
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
/** A run has at most this many node runs, so it cannot have more open calls. */
const ROUNDS = 50;

/** Cancels children; each of them cancels its children by its completion hooks. */
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
