import type { Failure } from './failures';
import { reasonAge, type Finding } from './conditions';
import type { Outcome, WorkflowFacts } from './facts';
import type { Reason } from './objects';
import { finding, formerFindings, outcomeOf } from './workflow-status';

/** Milliseconds for which references may arrive with the same apply. */
export const REFERENCE_LIMIT_MS = 120_000;

const RESYNC = { when: 'resync' } as const;
const BACKOFF = { when: 'backoff' } as const;

/** `Ready` while nothing is known about the current generation: unchanged, if it was about this one. */
const readyMeanwhile = (facts: WorkflowFacts, reason: Reason, message: string): Finding => {
  const { generation } = facts.object.metadata;
  const [former] = formerFindings(facts, 'Ready');
  const isCurrent = facts.object.status?.observedGeneration === generation;
  return former !== undefined && isCurrent ? former : finding('Ready', 'Unknown', reason, message);
};

/** Weft cannot be asked now: in progress. */
export const inProgress = (
  facts: WorkflowFacts,
  reason: 'WeftUnavailable' | 'RateLimited',
  message: string,
  again: Outcome['again'],
): Outcome =>
  outcomeOf(facts, {
    result: 'failed',
    again,
    findings: [
      readyMeanwhile(facts, reason, message),
      ...formerFindings(facts, 'Synced', 'CredentialsResolved', 'Activated'),
      finding('Reconciling', 'True', reason, message),
    ],
  });

/** The spec, or something that it refers to, must change first. */
export const stalled = (
  facts: WorkflowFacts,
  reason: Reason,
  message: string,
  more: { readonly synced?: Reason; readonly findings?: readonly Finding[]; readonly isRefusal?: boolean } = {},
): Outcome =>
  outcomeOf(facts, {
    result: 'refused',
    again: RESYNC,
    findings: [
      finding('Ready', 'False', reason, message),
      ...(more.synced === undefined ? [] : [finding('Synced', 'False', more.synced, message)]),
      ...(more.findings ?? []),
      finding('Stalled', 'True', reason, message),
    ],
    ...(more.isRefusal === true ? { event: { type: 'Warning', reason: 'Refused', message } } : {}),
  });

/** Something that the object refers to does not exist: it may arrive with the same apply. */
export const waiting = (facts: WorkflowFacts, message: string, findings: readonly Finding[]): Outcome => {
  const { object, now } = facts;
  const { generation } = object.metadata;
  const conditions = object.status?.conditions;
  const hasStalled = reasonAge(conditions, 'Stalled', 'ReferenceMissing', generation, now) !== undefined;
  const waited = reasonAge(conditions, 'Reconciling', 'WaitingForReferences', generation, now) ?? 0;
  if (hasStalled || waited >= REFERENCE_LIMIT_MS) return stalled(facts, 'ReferenceMissing', message, { findings });
  return outcomeOf(facts, {
    result: 'waiting',
    again: { when: 'after', ms: Math.min(10_000, REFERENCE_LIMIT_MS - waited) },
    findings: [
      readyMeanwhile(facts, 'WaitingForReferences', message),
      ...formerFindings(facts, 'Synced', 'Activated'),
      ...findings,
      finding('Reconciling', 'True', 'WaitingForReferences', message),
    ],
  });
};

/** The end of a reconciliation after a failure. */
export const failedOutcome = (facts: WorkflowFacts, failure: Failure): Outcome => {
  const { message } = failure;
  switch (failure.kind) {
    case 'limited':
      return inProgress(facts, 'RateLimited', message, { when: 'limited', ms: failure.retryAfterMs });
    case 'no-key':
      return stalled(facts, 'NoKey', message, { synced: 'NoKey' });
    case 'forbidden':
      return stalled(facts, 'Forbidden', message, { synced: 'Forbidden' });
    case 'refused':
      return stalled(facts, 'Refused', message, { synced: 'Refused', isRefusal: true });
    case 'too-large':
      return stalled(facts, 'TooLarge', message, { synced: 'TooLarge', isRefusal: true });
    case 'key-taken':
      return stalled(facts, 'KeyTaken', message, { synced: 'KeyTaken' });
    case 'too-old':
      return stalled(facts, 'WeftTooOld', message);
    case 'not-runnable':
      return stalled(facts, 'NotRunnable', message, {
        findings: [
          finding('Synced', 'True', 'Applied', 'The definition is stored.'),
          finding('Activated', 'False', 'NotRunnable', message),
        ],
        isRefusal: true,
      });
    case 'outdated':
    case 'not-found':
      // Read again from the start, after a pause: another writer may be at work.
      return { result: 'failed', again: BACKOFF, status: undefined };
    case 'path-taken':
    case 'in-use':
    case 'unavailable':
      return inProgress(facts, 'WeftUnavailable', message, BACKOFF);
  }
};
