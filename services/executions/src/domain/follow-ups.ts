import { isPassing, ServiceError } from '@weft/service-kit/errors';
import { followUpDelayMs } from './back-off';
import type { EndedExecution, FollowUp } from './execution';
import { forgetWrite, putOffWrite, retrySucceededWrite, settleWrite } from './free-writes';
import type { ApplyWrite, Clock, Warn } from './ports';
import type { CancelChildren } from './cancel-children';
import type { FreePlace } from './concurrency/places';
import type { StartErrorWorkflow } from './start-error-workflow';
import type { WakeParent } from './wake-parent';

/**
 * Carries out what is due after the end of an execution; what fails is put off. Safe to repeat, also at the same time
 * elsewhere.
 * @returns whether nothing is left to do.
 */
export type CarryOutFollowUps = (ended: EndedExecution) => Promise<boolean>;

/** What following up needs. */
export interface FollowUpPorts {
  readonly apply: ApplyWrite;
  readonly wakeParent: WakeParent;
  readonly startErrorWorkflow: StartErrorWorkflow;
  readonly cancelChildren: CancelChildren;
  readonly freePlace: FreePlace;
  readonly warn: Warn;
  readonly clock: Clock;
}

/**
 * How long a record that is not to be kept stays, so that its caller, and a repetition of the start, still get their
 * answer.
 */
const FORGET_AFTER_MS = 3_600_000;

const perform = async (followUp: FollowUp, ended: EndedExecution, ports: FollowUpPorts): Promise<void> => {
  switch (followUp.kind) {
    case 'resume-parent':
      return ports.wakeParent(followUp.target, ended._id);
    case 'free-place':
      return ports.freePlace(ended);
    case 'start-error-workflow':
      return ports.startErrorWorkflow(followUp.target, ended);
    case 'cancel-children':
      return ports.cancelChildren(ended._id);
    case 'tell-retried':
      await ports.apply(followUp.target, retrySucceededWrite(ended._id));
      return;
    case 'forget':
      await ports.apply(ended._id, forgetWrite(new Date(ports.clock() + FORGET_AFTER_MS)));
  }
};

/** A refusal stays a refusal however often it is tried: the workflow is gone, or must not be called. */
const isFinal = (error: unknown): boolean => error instanceof ServiceError && !isPassing(error.kind);

const carryOutOne = async (followUp: FollowUp, ended: EndedExecution, ports: FollowUpPorts): Promise<boolean> => {
  try {
    await perform(followUp, ended, ports);
  } catch (error) {
    if (!isFinal(error)) {
      ports.warn(
        { err: error, executionId: ended._id, followUp: followUp.kind },
        'a follow-up failed and is tried again',
      );
      await ports.apply(
        ended._id,
        putOffWrite(followUp, new Date(ports.clock() + followUpDelayMs(followUp.tries ?? 0))),
      );
      return false;
    }
    ports.warn({ err: error, executionId: ended._id, followUp: followUp.kind }, 'a follow-up was refused');
  }
  await ports.apply(ended._id, settleWrite(followUp));
  return true;
};

/** Carries out follow-ups one after the other. */
export const createCarryOutFollowUps =
  (ports: FollowUpPorts): CarryOutFollowUps =>
  async (ended) => {
    const now = ports.clock();
    let isDone = true;
    for (const followUp of ended.followUps) {
      if (followUp.due === undefined) continue;
      const isSettled = followUp.due.getTime() <= now && (await carryOutOne(followUp, ended, ports));
      isDone &&= isSettled;
    }
    return isDone;
  };
