import { createTakeMine } from '@weft/service-kit/replicas';
import type { EndedExecution } from '../domain/state/execution';
import type { PerformPostRunActions } from '../domain/end/post-run-actions';
import type { Clock } from '../domain/state/ports';
import type { FindDue, Share } from '../domain/read/sweep-ports';
import { idOf, pageOf } from './sweep';

/** Ports of post-run actions. */
export interface PostRunLoopPorts {
  readonly findDue: FindDue;
  readonly share: Share;
  readonly carryOut: PerformPostRunActions;
  readonly clock: Clock;
}

/** The loop and its notification of ends. */
export interface PostRunLoop {
  /** An execution was ended by this replica, which carries out the actions. */
  readonly ended: (executionId: string) => void;
  /** Carries out due post-run actions. @returns whether there may be more. */
  readonly tick: () => Promise<boolean>;
}

const MOST = 100;

/** Milliseconds reserved for the replica that ended an execution. */
const OWN_MS = 1_000;

/** Maximum number of tracked ends; replicas share the others, like those of a crashed replica. */
const MAX_ENDS = 20_000;

const dueSince = ({ postRunActions }: EndedExecution): number =>
  Math.min(...postRunActions.map(({ due }) => due?.getTime() ?? Number.POSITIVE_INFINITY));

/** Carries out the actions of runs that ended here at once, and its share of the others. */
export const createPostRunLoop = ({ findDue, share, carryOut, clock }: PostRunLoopPorts): PostRunLoop => {
  const takeMine = createTakeMine<EndedExecution>({ share, idOf, dueOf: (ended) => new Date(dueSince(ended)) });
  let endedHere = new Set<string>();
  return {
    ended: (executionId) => {
      if (endedHere.size < MAX_ENDS) endedHere.add(executionId);
    },
    tick: async () => {
      const now = clock();
      const own = endedHere;
      endedHere = new Set();
      const page = pageOf(share, MOST);
      // A millisecond later, to include actions armed in this very millisecond.
      const due = await findDue.duePostRunActions(new Date(now + 1), page);
      const left = due.filter((one) => !own.has(one._id) && (share.count() === 1 || now - dueSince(one) >= OWN_MS));
      const mine = [...due.filter(({ _id }) => own.has(_id)), ...takeMine(left)];
      await Promise.all(mine.map((ended) => carryOut(ended)));
      if (due.length < page) return false;
      // Some of those that ended here may follow after this page.
      for (const id of own) if (endedHere.size < MAX_ENDS) endedHere.add(id);
      return mine.length > 0;
    },
  };
};
