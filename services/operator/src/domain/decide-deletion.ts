import type { Outcome, WorkflowDecision, WorkflowFacts } from './facts';
import type { Failure } from './failures';
import { hasFinalizer, type Metadata } from './objects';

/** Milliseconds after which an object that cannot be cleaned up is let go. */
export const CLEANUP_LIMIT_MS = 600_000;

const GONE: Outcome = { result: 'deleted', again: { when: 'resync' }, status: undefined };

/**
 * The end of a reconciliation whose clean-up failed and is repeated; undefined if the time for it is over. Time in
 * which the operator did not run does not count.
 */
export const cleanupAgain = (
  failure: Failure,
  { deletionTimestamp = '' }: Metadata,
  startedAt: number,
  now: number,
): Outcome<never> | undefined =>
  now - Math.max(Date.parse(deletionTimestamp), startedAt) >= CLEANUP_LIMIT_MS
    ? undefined
    : {
        result: 'failed',
        again: failure.kind === 'limited' ? { when: 'limited', ms: failure.retryAfterMs } : { when: 'backoff' },
        status: undefined,
      };

/**
 * Decides for a deleted object. Only an object that is deleted and has the finalizer is cleaned up; a workflow is never
 * removed because an object is missing.
 */
export const decideDeletion = (facts: WorkflowFacts): WorkflowDecision => {
  const { object, failure, found, now, startedAt } = facts;
  const { metadata, spec, status } = object;
  if (!hasFinalizer(metadata)) return { next: 'finish', outcome: GONE };
  if (spec.suspend || spec.deletionPolicy === 'Orphan') return { next: 'remove-finalizer' };
  if (failure !== undefined && failure.kind !== 'not-found') {
    const again = cleanupAgain(failure, metadata, startedAt, now);
    if (again !== undefined) return { next: 'finish', outcome: again };
    const what = status?.workflowId === undefined ? 'its workflow, if there is one,' : `workflow ${status.workflowId}`;
    const message = `Given up after 10 minutes: ${what} stays in Weft as it is. ${failure.message}`;
    return { next: 'remove-finalizer', event: { type: 'Warning', reason: 'Abandoned', message } };
  }
  if (failure !== undefined) return { next: 'remove-finalizer' };
  if (found === undefined) return { next: 'find' };
  const { workflow } = found;
  // Another program has taken the workflow over: it is no longer this object's.
  if (workflow === undefined || workflow.managed?.by !== 'kubernetes') return { next: 'remove-finalizer' };
  if (spec.deletionPolicy === 'Delete') return { next: 'write', write: { action: 'delete', workflow }, reverts: false };
  if (workflow.active) return { next: 'write', write: { action: 'deactivate', workflow }, reverts: false };
  return { next: 'remove-finalizer' };
};
