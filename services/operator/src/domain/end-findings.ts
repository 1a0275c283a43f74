import { reasonAge, type Finding } from './conditions';
import type { Again, ObjectEvent, Result } from './facts';
import type { Failure } from './failures';
import type { Condition, Reason } from './objects';

/** Result of a reconciliation of any kind, before it is a status. */
export interface EndFindings {
  readonly result: Result;
  readonly again: Again;
  readonly findings: readonly Finding[];
  readonly event?: ObjectEvent;
}

/** Milliseconds for which references may arrive with the same apply. */
const REFERENCE_LIMIT_MS = 120_000;

/** With the next poll of Weft. */
export const RESYNC = { when: 'resync' } as const;

export const finding = (
  type: Finding['type'],
  status: Finding['status'],
  reason: Reason,
  message: string,
): Finding => ({ type, status, reason, message });

/** The spec, or something that it refers to, must change first. */
export const stalled = (
  reason: Reason,
  message: string,
  more: {
    /** Reason why Weft is not equal to the object; absent: nothing is known. */
    readonly synced?: Reason;
    readonly findings?: readonly Finding[];
    /** True if Weft has refused the content: an event says so. */
    readonly isRefusal?: boolean;
  } = {},
): EndFindings => ({
  result: 'refused',
  again: RESYNC,
  findings: [
    finding('Ready', 'False', reason, message),
    ...(more.synced === undefined ? [] : [finding('Synced', 'False', more.synced, message)]),
    ...(more.findings ?? []),
    finding('Stalled', 'True', reason, message),
  ],
  ...((more.isRefusal ?? reason === 'Refused') ? { event: { type: 'Warning', reason: 'Refused', message } } : {}),
});

/** Something is missing that can come without a change of the object. */
export const progressing = (
  reason: Reason,
  message: string,
  again: Again,
  findings: readonly Finding[] = [],
): EndFindings => ({
  result: reason === 'WaitingForReferences' ? 'waiting' : 'failed',
  again,
  findings: [
    finding('Ready', 'Unknown', reason, message),
    ...findings,
    finding('Reconciling', 'True', reason, message),
  ],
});

/** When to look again for something that the object refers to; undefined: it has been waited for long enough. */
export const referenceWait = (
  conditions: readonly Condition[] | undefined,
  generation: number,
  now: number,
): Again | undefined => {
  const hasStalled = reasonAge(conditions, 'Stalled', 'ReferenceMissing', generation, now) !== undefined;
  const waited = reasonAge(conditions, 'Reconciling', 'WaitingForReferences', generation, now) ?? 0;
  if (hasStalled || waited >= REFERENCE_LIMIT_MS) return undefined;
  return { when: 'after', ms: Math.min(10_000, REFERENCE_LIMIT_MS - waited) };
};

/** The end of a reconciliation of a credential or an app after a failure. */
export const afterFailure = (failure: Failure): EndFindings => {
  const { message } = failure;
  switch (failure.kind) {
    case 'limited':
      return progressing('RateLimited', message, { when: 'limited', ms: failure.retryAfterMs });
    case 'no-key':
      return stalled('NoKey', message, { synced: 'NoKey' });
    case 'forbidden':
      return stalled('Forbidden', message, { synced: 'Forbidden' });
    case 'too-large':
      return stalled('TooLarge', message, { synced: 'TooLarge' });
    case 'too-old':
      return stalled('WeftTooOld', message);
    case 'key-taken':
      return stalled('KeyTaken', message, { synced: 'KeyTaken' });
    case 'refused':
    case 'not-runnable':
      return stalled('Refused', message, { synced: 'Refused' });
    case 'outdated':
    case 'not-found':
    case 'path-taken':
    case 'in-use':
    case 'unavailable':
      return progressing('WeftUnavailable', message, { when: 'backoff' });
  }
};
