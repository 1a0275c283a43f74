import { createTakeMine } from '@weft/service-kit/replicas';
import type { EndedExecution } from '../domain/state/execution';
import type { RunCompletionHooks } from '../domain/end/completion-hooks';
import type { Clock } from '../domain/state/ports';
import type { FindDue, Share } from '../domain/read/sweep-ports';
import { idOf, pageOf } from './sweep';

/** Ports of completion hooks. */
export interface HookLoopPorts {
  readonly findDue: FindDue;
  readonly share: Share;
  readonly runHooks: RunCompletionHooks;
  readonly clock: Clock;
}

/** The loop and its notification of ends. */
export interface HookLoop {
  /** An execution was ended by this replica, which runs the hooks. */
  readonly ended: (executionId: string) => void;
  /** Runs due completion hooks. @returns whether there may be more. */
  readonly tick: () => Promise<boolean>;
}

const MOST = 100;

/** Milliseconds reserved for the replica that ended an execution. */
const OWN_MS = 1_000;

/** Maximum number of tracked ends; replicas share the others, like those of a crashed replica. */
const MAX_ENDS = 20_000;

const dueSince = ({ postRunActions }: EndedExecution): number =>
  Math.min(...postRunActions.map(({ due }) => due?.getTime() ?? Number.POSITIVE_INFINITY));

/** Runs the hooks of executions that ended here at once, and its share of the others. */
export const createHookLoop = ({ findDue, share, runHooks, clock }: HookLoopPorts): HookLoop => {
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
      // A millisecond later, to include hooks armed in this very millisecond.
      const due = await findDue.dueCompletionHooks(new Date(now + 1), page);
      const left = due.filter((one) => !own.has(one._id) && (share.count() === 1 || now - dueSince(one) >= OWN_MS));
      const mine = [...due.filter(({ _id }) => own.has(_id)), ...takeMine(left)];
      await Promise.all(mine.map((ended) => runHooks(ended)));
      if (due.length < page) return false;
      // Some of those that ended here may follow after this page.
      for (const id of own) if (endedHere.size < MAX_ENDS) endedHere.add(id);
      return mine.length > 0;
    },
  };
};
