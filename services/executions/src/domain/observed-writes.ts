import type { ApplyWrite } from './ports';
import type { TransitionName } from './execution-state';

/** What is told about writes that went through. Must not throw. */
export interface WriteObserver {
  /** The execution answered or ended: somebody may wait for it. */
  readonly onChanged: (executionId: string) => void;
  /** The execution ended: follow-ups may be due. */
  readonly onEnded: (executionId: string) => void;
  /** The execution ended, but not by its runner, which may be in the middle of a node. */
  readonly onStopped: (executionId: string) => void;
}

type News = 'stopped' | 'ended' | 'answered' | 'none';

const NEWS: Readonly<Record<TransitionName, News>> = {
  claim: 'none',
  renewClaim: 'none',
  unclaim: 'none',
  heartbeat: 'none',
  checkpoint: 'none',
  upload: 'none',
  respond: 'answered',
  succeed: 'ended',
  fail: 'ended',
  wait: 'answered',
  wake: 'none',
  lookAgain: 'none',
  place: 'none',
  hold: 'none',
  admit: 'none',
  expire: 'none',
  crash: 'ended',
  release: 'none',
  cancel: 'stopped',
  timeOut: 'stopped',
  republish: 'none',
  settle: 'none',
};

/** Tells about every write that went through, whoever made it. */
export const observeWrites =
  (apply: ApplyWrite, { onChanged, onEnded, onStopped }: WriteObserver): ApplyWrite =>
  async (executionId, write) => {
    const outcome = await apply(executionId, write);
    const news = NEWS[write.transition];
    if (outcome.outcome !== 'applied' || news === 'none') return outcome;
    onChanged(executionId);
    if (news === 'stopped') onStopped(executionId);
    if (news === 'stopped' || news === 'ended') onEnded(executionId);
    return outcome;
  };
