import type { CallToApprove, PendingWait } from '../state/execution';
import { waitWrite, type DeadlineRenewal } from '../state/run-writes';
import type { HttpResponse } from '@weft/proto/executions';
import { storeResponse } from '../step/respond-to-caller';
import { storeStep, type Step, type StepPorts } from '../step/store-step';
import type { Snapshot, WriteOutcome } from '../state/write-outcome';
import type { WakeParent } from './wake-parent';

/** Pause of one execution. */
export interface Wait extends Step {
  /** Checkpoints stored before; this is one more. */
  readonly checkpoint: number;
  /** Time at which it continues without an event. */
  readonly resumeAt?: Date;
  /** With a token: the callers that may wake it, as an encoded WaitSettings message. */
  readonly settings?: Buffer;
  /** True if a caller follows the run by its token, and waits for what it says after the end of the time. */
  readonly opensResponse?: boolean;
  /** The child whose end wakes it. */
  readonly childId?: string;
  /** The call whose approval or rejection wakes it. */
  readonly approval?: Omit<CallToApprove, 'requestedAt'>;
  /** For a caller that still waits, if none was stored before. */
  readonly response?: HttpResponse;
}

/** Pauses an execution. @throws Unavailable */
export type WaitExecution = (wait: Wait) => Promise<WriteOutcome>;

/** Ports of pausing. */
export interface WaitPorts extends StepPorts {
  readonly wakeParent: WakeParent;
  /**
   * For runs whose workflow sets no time limit: milliseconds from the end of the wait, and for the wait; 0: no limit.
   */
  readonly limits: { readonly runMs: number; readonly waitMs: number };
}

/** Time a parent may wait before the sweeper checks whether its child has ended unnoticed. */
export const CHILD_CHECK_MS = 60_000;

/** Time at which the sweeper checks it: the end of its wait, or an interval after which it checks the child. */
const checkAtOf = ({ resumeAt, childId }: Wait, now: number): { checkAt?: Date } => {
  if (childId === undefined) return resumeAt === undefined ? {} : { checkAt: resumeAt };
  return { checkAt: new Date(Math.min(now + CHILD_CHECK_MS, resumeAt?.getTime() ?? Number.POSITIVE_INFINITY)) };
};

const pendingWaitOf = (wait: Wait, now: number): PendingWait => ({
  ...checkAtOf(wait, now),
  ...(wait.resumeAt === undefined ? {} : { resumeAt: wait.resumeAt }),
  ...(wait.tokenHash === undefined ? {} : { tokenHash: wait.tokenHash }),
  ...(wait.settings === undefined ? {} : { settings: wait.settings }),
  ...(wait.opensResponse === true ? { opensResponse: true } : {}),
  ...(wait.childId === undefined ? {} : { childId: wait.childId }),
  ...(wait.approval === undefined ? {} : { approval: { ...wait.approval, requestedAt: new Date(now) } }),
});

/** The deadline after a wait of a run with the default one. */
const renewalOf = (
  { resumeAt }: Wait,
  found: Snapshot | undefined,
  { limits: { runMs, waitMs }, clock }: WaitPorts,
): DeadlineRenewal | undefined => {
  // Assumed at first: a workflow with a time limit costs an additional write.
  if (runMs === 0 || (found !== undefined && found.deadlineRenews !== true)) return undefined;
  const until = Math.min(
    resumeAt?.getTime() ?? Number.POSITIVE_INFINITY,
    waitMs === 0 ? Number.POSITIVE_INFINITY : clock() + waitMs,
  );
  return Number.isFinite(until) ? { deadlineAt: new Date(until + runMs) } : {};
};

/** Pauses executions. */
export const createWaitExecution =
  (ports: WaitPorts): WaitExecution =>
  async (wait) => {
    const response =
      wait.response === undefined
        ? undefined
        : await storeResponse(wait.executionId, wait.fence, wait.response, ports.chunks);
    const outcome = await storeStep(
      wait,
      wait.checkpoint,
      (progress, found) =>
        waitWrite(
          wait.fence,
          wait.checkpoint,
          progress,
          pendingWaitOf(wait, ports.clock()),
          found?.hasResponse === true ? undefined : response,
          renewalOf(wait, found, ports),
        ),
      ports,
    );
    // The child may have ended before its parent was paused: its completion hook found no parent to wake.
    if ((outcome === 'applied' || outcome === 'duplicate') && wait.childId !== undefined)
      await ports.wakeParent(wait.executionId, wait.childId);
    return outcome;
  };
