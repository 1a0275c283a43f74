import { isRetryable, ServiceError } from '@weft/service-kit/errors';
import { actionRetryDelayMs } from '../state/back-off';
import type { EndedExecution, PostRunAction } from '../state/execution';
import { expireRecordWrite, postponeActionWrite, retrySucceededWrite, completeActionWrite } from '../state/free-writes';
import type { ApplyWrite, Clock, Warn } from '../state/ports';
import type { CancelChildren } from './cancel-children';
import type { ReleaseSlot } from '../claim/slots';
import type { StartErrorWorkflow } from './start-error-workflow';
import type { WakeParent } from '../wait/wake-parent';

/**
 * Carries out due post-run actions; postpones failed ones. Safe to repeat, also concurrently.
 * @returns whether nothing is left to do.
 */
export type PerformPostRunActions = (ended: EndedExecution) => Promise<boolean>;

/** Ports of post-run actions. */
export interface PostRunActionPorts {
  readonly apply: ApplyWrite;
  readonly wakeParent: WakeParent;
  readonly startErrorWorkflow: StartErrorWorkflow;
  readonly cancelChildren: CancelChildren;
  readonly releaseSlot: ReleaseSlot;
  readonly warn: Warn;
  readonly clock: Clock;
}

/**
 * Time for which a record without retention stays, so that its caller, and a repetition of the start, still get the
 * response.
 */
const EXPIRE_AFTER_MS = 3_600_000;

/**
 * True for a scheduled run that ended before any node did: it has no data to hide, and the next poll of its trigger
 * checks whether it delivered its events.
 */
const isUnexplained = ({ when }: PostRunAction, { mode, lastNode }: EndedExecution): boolean =>
  when === 'error' && mode === 'trigger' && lastNode === undefined;

const perform = async (action: PostRunAction, ended: EndedExecution, ports: PostRunActionPorts): Promise<void> => {
  switch (action.kind) {
    case 'resume-parent':
      return ports.wakeParent(action.target, ended._id);
    case 'release-slot':
      return ports.releaseSlot(ended);
    case 'start-error-workflow':
      return ports.startErrorWorkflow(action.target, ended);
    case 'cancel-children':
      return ports.cancelChildren(ended._id);
    case 'record-retry-success':
      await ports.apply(action.target, retrySucceededWrite(ended._id));
      return;
    case 'expire-record':
      if (isUnexplained(action, ended)) return;
      await ports.apply(ended._id, expireRecordWrite(new Date(ports.clock() + EXPIRE_AFTER_MS)));
  }
};

/** A refusal is permanent: the workflow was deleted, or must not be called. */
const isFinal = (error: unknown): boolean => error instanceof ServiceError && !isRetryable(error.kind);

const carryOutOne = async (
  action: PostRunAction,
  ended: EndedExecution,
  ports: PostRunActionPorts,
): Promise<boolean> => {
  try {
    await perform(action, ended, ports);
  } catch (error) {
    if (!isFinal(error)) {
      ports.warn(
        { err: error, executionId: ended._id, action: action.kind },
        'a post-run action failed and will be retried',
      );
      await ports.apply(
        ended._id,
        postponeActionWrite(action, new Date(ports.clock() + actionRetryDelayMs(action.tries ?? 0))),
      );
      return false;
    }
    ports.warn({ err: error, executionId: ended._id, action: action.kind }, 'a post-run action was refused');
  }
  await ports.apply(ended._id, completeActionWrite(action));
  return true;
};

/** Carries out post-run actions one after the other. */
export const createPerformPostRunActions =
  (ports: PostRunActionPorts): PerformPostRunActions =>
  async (ended) => {
    const now = ports.clock();
    let isDone = true;
    for (const action of ended.postRunActions) {
      if (action.due === undefined) continue;
      const isComplete = action.due.getTime() <= now && (await carryOutOne(action, ended, ports));
      isDone &&= isComplete;
    }
    return isDone;
  };
