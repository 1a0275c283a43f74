import { isRetryable, ServiceError } from '@weft/service-kit/errors';
import { hookRetryDelayMs } from '../state/back-off';
import type { EndedExecution, CompletionHook } from '../state/execution';
import { expireRecordWrite, postponeHookWrite, retrySucceededWrite, completeHookWrite } from '../state/free-writes';
import type { ApplyWrite, Clock, Warn } from '../state/ports';
import type { CancelChildren } from './cancel-children';
import type { ReleaseSlot } from '../claim/slots';
import type { Notify } from '../notifications/notify';
import type { StartErrorWorkflow } from './start-error-workflow';
import type { WakeParent } from '../wait/wake-parent';

/**
 * Runs due completion hooks; postpones failed ones. Safe to repeat, also concurrently.
 * @returns whether nothing is left to do.
 */
export type RunCompletionHooks = (ended: EndedExecution) => Promise<boolean>;

/** Ports of completion hooks. */
export interface CompletionHookPorts {
  readonly apply: ApplyWrite;
  readonly wakeParent: WakeParent;
  readonly startErrorWorkflow: StartErrorWorkflow;
  readonly cancelChildren: CancelChildren;
  readonly releaseSlot: ReleaseSlot;
  readonly notify: Notify;
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
const isUnexplained = ({ when }: CompletionHook, { mode, lastNode }: EndedExecution): boolean =>
  when === 'error' && mode === 'trigger' && lastNode === undefined;

const perform = async (hook: CompletionHook, ended: EndedExecution, ports: CompletionHookPorts): Promise<void> => {
  switch (hook.kind) {
    case 'resume-parent':
      return ports.wakeParent(hook.target, ended._id);
    case 'release-slot':
      return ports.releaseSlot(ended);
    case 'start-error-workflow':
      return ports.startErrorWorkflow(hook.target, ended);
    case 'cancel-children':
      return ports.cancelChildren(ended._id);
    case 'record-retry-success':
      await ports.apply(hook.target, retrySucceededWrite(ended._id));
      return;
    case 'notify':
      return ports.notify(hook.target, ended);
    case 'expire-record':
      if (isUnexplained(hook, ended)) return;
      await ports.apply(ended._id, expireRecordWrite(new Date(ports.clock() + EXPIRE_AFTER_MS)));
  }
};

/** A refusal is permanent: the workflow was deleted, or must not be called. */
const isFinal = (error: unknown): boolean => error instanceof ServiceError && !isRetryable(error.kind);

const runOne = async (hook: CompletionHook, ended: EndedExecution, ports: CompletionHookPorts): Promise<boolean> => {
  try {
    await perform(hook, ended, ports);
  } catch (error) {
    if (!isFinal(error)) {
      ports.warn(
        { err: error, executionId: ended._id, action: hook.kind },
        'a completion hook failed and will be retried',
      );
      await ports.apply(
        ended._id,
        postponeHookWrite(hook, new Date(ports.clock() + hookRetryDelayMs(hook.tries ?? 0))),
      );
      return false;
    }
    ports.warn({ err: error, executionId: ended._id, action: hook.kind }, 'a completion hook was refused');
  }
  await ports.apply(ended._id, completeHookWrite(hook));
  return true;
};

/** Runs completion hooks one after the other. */
export const createRunCompletionHooks =
  (ports: CompletionHookPorts): RunCompletionHooks =>
  async (ended) => {
    const now = ports.clock();
    let isDone = true;
    for (const hook of ended.postRunActions) {
      if (hook.due === undefined) continue;
      const isComplete = hook.due.getTime() <= now && (await runOne(hook, ended, ports));
      isDone &&= isComplete;
    }
    return isDone;
  };
