import type { JsonObject } from '@weft/apply';
import { conditionsOf, timeText } from './conditions';
import { cleanupAgain } from './decide-deletion';
import { afterFailure, finding, progressing, referenceWait, RESYNC, stalled, type EndFindings } from './end-findings';
import type { Failure } from './failures';
import type { ObjectEvent, Outcome } from './facts';
import { hasFinalizer, wantsAdoption, type CredentialStatus, type WeftCredential } from './objects';
import { changedStatus } from './workflow-status';

/** A credential of the project, without its data. */
export interface ListedCredential {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly createdAt: string;
}

/** The Secret of a credential. `version` is empty if the object names none. */
export type SecretFact =
  { readonly state: 'found'; readonly version: string } | { readonly state: 'missing'; readonly message: string };

/** A write to Weft. The values of the Secret are read for it, and held nowhere else. */
export type CredentialWrite =
  | { readonly action: 'create' }
  | { readonly action: 'replace'; readonly id: string }
  | { readonly action: 'delete'; readonly id: string };

/** Everything known in one reconciliation. */
export interface CredentialFacts {
  readonly object: WeftCredential;
  readonly now: number;
  readonly startedAt: number;
  readonly secret?: SecretFact;
  /** Credentials of the project with the name and type of the object. */
  readonly listed?: readonly ListedCredential[];
  /** The last write, with the version of the Secret that it sent. */
  readonly written?: { readonly action: CredentialWrite['action']; readonly id: string; readonly version: string };
  readonly failure?: Failure;
}

export type CredentialDecision =
  | { readonly next: 'read-secret' }
  | { readonly next: 'list' }
  | { readonly next: 'add-finalizer' }
  | { readonly next: 'remove-finalizer'; readonly event?: ObjectEvent }
  | { readonly next: 'write'; readonly write: CredentialWrite }
  | { readonly next: 'finish'; readonly outcome: Outcome<CredentialStatus> };

const outcomeOf = ({ object, written, now }: CredentialFacts, given: EndFindings): CredentialDecision => {
  const { status: former, metadata } = object;
  const id = written?.id ?? former?.credentialId;
  const version = written?.version ?? former?.secretResourceVersion;
  const lastSyncedAt = written === undefined ? former?.lastSyncedAt : timeText(now);
  const status: CredentialStatus = {
    observedGeneration: metadata.generation,
    ...(id === undefined ? {} : { credentialId: id }),
    ...(version === undefined ? {} : { secretResourceVersion: version }),
    ...(lastSyncedAt === undefined ? {} : { lastSyncedAt }),
    conditions: conditionsOf(given.findings, former?.conditions, metadata.generation, now),
  };
  return {
    next: 'finish',
    outcome: {
      result: given.result,
      again: given.again,
      status: changedStatus(former, status),
      ...(given.event === undefined ? {} : { event: given.event }),
    },
  };
};

const secretMissing = (facts: CredentialFacts, message: string): CredentialDecision => {
  const { object, now } = facts;
  const resolved = finding('CredentialsResolved', 'False', 'SecretMissing', message);
  const again = referenceWait(object.status?.conditions, object.metadata.generation, now);
  if (again !== undefined) return outcomeOf(facts, progressing('WaitingForReferences', message, again, [resolved]));
  return outcomeOf(facts, { ...stalled('ReferenceMissing', message, { findings: [resolved] }), result: 'waiting' });
};

const decideDeletion = (facts: CredentialFacts): CredentialDecision => {
  const { object, failure, written, now, startedAt } = facts;
  const { metadata, spec, status } = object;
  const id = status?.credentialId;
  if (!hasFinalizer(metadata))
    return { next: 'finish', outcome: { result: 'deleted', again: RESYNC, status: undefined } };
  if (spec.deletionPolicy === 'Orphan' || written !== undefined || failure?.kind === 'not-found')
    return { next: 'remove-finalizer' };
  if (failure !== undefined) {
    const again = cleanupAgain(failure, metadata, startedAt, now);
    if (again !== undefined) return { next: 'finish', outcome: again };
    const message = `Given up after 10 minutes: credential ${id ?? spec.name} stays in Weft. ${failure.message}`;
    return { next: 'remove-finalizer', event: { type: 'Warning', reason: 'Abandoned', message } };
  }
  if (id !== undefined) return { next: 'write', write: { action: 'delete', id } };
  if (facts.listed === undefined) return { next: 'list' };
  const own = facts.listed.find((one) => isOwn(object, one));
  return own === undefined ? { next: 'remove-finalizer' } : { next: 'write', write: { action: 'delete', id: own.id } };
};

/**
 * True for a credential that this object must have created: the finalizer is set after a list without such a
 * credential, and before the first POST, so the operator was killed before it could write the id into the status.
 */
const isOwn = ({ metadata, status }: WeftCredential, { id, createdAt }: ListedCredential): boolean =>
  id === status?.credentialId ||
  (status?.credentialId === undefined &&
    hasFinalizer(metadata) &&
    Date.parse(createdAt) >= Date.parse(metadata.creationTimestamp));

/** The next action of a reconciliation, or its end. Pure: the same facts have the same decision. */
export const decideCredential = (facts: CredentialFacts): CredentialDecision => {
  const { object, failure, secret, listed, written } = facts;
  const { metadata, spec, status } = object;
  if (metadata.deletionTimestamp !== undefined) return decideDeletion(facts);
  if (failure !== undefined) return outcomeOf(facts, afterFailure(failure));
  if (secret === undefined) return { next: 'read-secret' };
  if (secret.state === 'missing') return secretMissing(facts, secret.message);
  if (listed === undefined) return { next: 'list' };
  const isSent =
    written !== undefined ||
    (status?.observedGeneration === metadata.generation &&
      status.secretResourceVersion === secret.version &&
      hasFinalizer(metadata) &&
      listed.some(({ id }) => id === status.credentialId));
  if (!isSent) {
    const known = listed.find(({ id }) => id === status?.credentialId) ?? listed.find((one) => isOwn(object, one));
    const [found, other] = listed;
    const adopted = known ?? (wantsAdoption(metadata) && other === undefined ? found : undefined);
    if (adopted === undefined && found !== undefined) {
      const message =
        `The project already has a credential ${spec.type} "${spec.name}" that this object does not manage. ` +
        'To take it over, set the annotation weft.dev/adopt to "true".';
      return outcomeOf(facts, stalled('KeyTaken', message, { synced: 'KeyTaken' }));
    }
    if (!hasFinalizer(metadata)) return { next: 'add-finalizer' };
    return {
      next: 'write',
      write: adopted === undefined ? { action: 'create' } : { action: 'replace', id: adopted.id },
    };
  }
  return outcomeOf(facts, {
    result: written === undefined ? 'unchanged' : 'applied',
    again: RESYNC,
    findings: [
      finding('Ready', 'True', 'Applied', 'The credential is stored in Weft.'),
      finding('Synced', 'True', 'Applied', 'The credential in Weft has the values of the Secret.'),
      finding('CredentialsResolved', 'True', 'Resolved', 'The Secret has every key.'),
    ],
    ...(written === undefined
      ? {}
      : { event: { type: 'Normal', reason: 'Applied', message: `Applied: ${written.action}.` } }),
  });
};

/** Data of a credential: plain values, then those of the Secret. */
export const credentialData = (
  { values = {}, secretRef }: WeftCredential['spec'],
  secret: ReadonlyMap<string, string>,
): JsonObject => ({
  ...values,
  ...Object.fromEntries(Object.entries(secretRef?.keys ?? {}).map(([field, key]) => [field, secret.get(key) ?? ''])),
});
