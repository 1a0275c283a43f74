import type { ExecutionRecord } from '../state/execution';
import type { ApplyWrite } from '../state/ports';
import type { TransitionName } from '../state/execution-state';
import { hasPendingHooks } from '../data/purge';

/** Observer of applied writes. Must not throw. */
export interface WriteObserver {
  /** The execution responded or ended: a caller may wait for it. `record`: its current state, if known. */
  readonly onChanged: (executionId: string, record?: ExecutionRecord) => void;
  /** The execution ended: completion hooks may be due. */
  readonly onEnded: (executionId: string) => void;
  /** The execution was ended, but not by its runner, which may be in the middle of a node. */
  readonly onStopped: (executionId: string) => void;
}

/** Passes events on to all subscribers, in order of subscription. */
export interface WriteEvents extends WriteObserver {
  readonly subscribe: (observer: Partial<WriteObserver>) => void;
}

/** Lets writers be built before the observers of their writes. */
export const createWriteEvents = (): WriteEvents => {
  const observers: Partial<WriteObserver>[] = [];
  return {
    subscribe: (observer) => void observers.push(observer),
    onChanged: (executionId, record) => {
      for (const { onChanged } of observers) onChanged?.(executionId, record);
    },
    onEnded: (executionId) => {
      for (const { onEnded } of observers) onEnded?.(executionId);
    },
    onStopped: (executionId) => {
      for (const { onStopped } of observers) onStopped?.(executionId);
    },
  };
};

type WriteEvent = 'stopped' | 'ended' | 'answered' | 'none';

const EVENTS: Readonly<Record<TransitionName, WriteEvent>> = {
  claim: 'none',
  renewClaim: 'none',
  unclaim: 'none',
  heartbeat: 'none',
  persist: 'none',
  checkpoint: 'none',
  upload: 'none',
  respond: 'answered',
  succeed: 'ended',
  fail: 'ended',
  wait: 'answered',
  wake: 'none',
  recheck: 'none',
  assignSlot: 'none',
  awaitSlot: 'none',
  admit: 'none',
  expire: 'none',
  crash: 'ended',
  release: 'none',
  cancel: 'stopped',
  timeOut: 'stopped',
  republish: 'none',
  updateEnded: 'none',
};

/** Reports every applied write, from any caller. */
export const observeWrites =
  (apply: ApplyWrite, { onChanged, onEnded, onStopped }: WriteObserver): ApplyWrite =>
  async (executionId, write) => {
    const outcome = await apply(executionId, write);
    const news = EVENTS[write.transition];
    if (outcome.outcome !== 'applied' || news === 'none') return outcome;
    onChanged(executionId, outcome.record);
    if (news === 'stopped') onStopped(executionId);
    const isQuiet = outcome.record !== undefined && !hasPendingHooks(outcome.record);
    if (news === 'stopped' || (news === 'ended' && !isQuiet)) onEnded(executionId);
    return outcome;
  };
