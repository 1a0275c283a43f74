import type { Finding } from './conditions';
import { finding, referenceWait, stalled as stalledFindings } from './end-findings';
import type { Failure } from './failures';
import type { Outcome, WorkflowFacts } from './facts';
import type { Reason } from './objects';
import { formerFindings, outcomeOf } from './workflow-status';

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

/** As `stalledFindings`, for a workflow. */
export const stalled = (facts: WorkflowFacts, ...given: Parameters<typeof stalledFindings>): Outcome =>
  outcomeOf(facts, stalledFindings(...given));

/** Something that the object refers to does not exist: it may arrive with the same apply. */
export const waiting = (facts: WorkflowFacts, message: string, findings: readonly Finding[]): Outcome => {
  const { object, now } = facts;
  const again = referenceWait(object.status?.conditions, object.metadata.generation, now);
  if (again === undefined) return stalled(facts, 'ReferenceMissing', message, { findings });
  return outcomeOf(facts, {
    result: 'waiting',
    again,
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
