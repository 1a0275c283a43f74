import type { Json } from '@weft/apply';
import { conditionsOf, timeText } from './conditions';
import { cleanupAgain } from './decide-deletion';
import { afterFailure, finding, progressing, referenceWait, RESYNC, stalled, type EndFindings } from './end-findings';
import type { Failure } from './failures';
import type { ObjectEvent, Outcome } from './facts';
import { hasFinalizer, wantsAdoption, type AppStatus, type WeftApp } from './objects';
import { changedStatus } from './workflow-status';

/** An app of the instance. */
export interface ListedApp {
  readonly name: string;
  readonly digest: string;
}

/** The app that an object describes. */
export interface AppSource {
  readonly name: string;
  /** Identifies the revision, as Weft computes it. */
  readonly digest: string;
  readonly document: Json;
}

export type AppSourceFact =
  | { readonly state: 'found'; readonly source: AppSource }
  /** A ConfigMap or its key. */
  | { readonly state: 'missing'; readonly message: string }
  | { readonly state: 'invalid'; readonly message: string };

/** A write to Weft: only if there is no app with the name, or if the app still has the digest `seen`. */
export type AppWrite =
  | { readonly action: 'create'; readonly source: AppSource }
  | { readonly action: 'replace'; readonly source: AppSource; readonly seen: string }
  | { readonly action: 'delete'; readonly name: string };

/** Everything known in one reconciliation. */
export interface AppFacts {
  readonly object: WeftApp;
  readonly now: number;
  readonly startedAt: number;
  readonly source?: AppSourceFact;
  /** All apps of the instance. */
  readonly listed?: readonly ListedApp[];
  /** The last write. */
  readonly written?: { readonly action: AppWrite['action']; readonly hasReverted: boolean };
  readonly failure?: Failure;
}

export type AppDecision =
  | { readonly next: 'read-source' }
  | { readonly next: 'list' }
  | { readonly next: 'add-finalizer' }
  | { readonly next: 'remove-finalizer'; readonly event?: ObjectEvent }
  /** Records the app that is about to be written, so that a restarted operator knows it as the object's own. */
  | { readonly next: 'claim'; readonly status: AppStatus }
  | { readonly next: 'write'; readonly write: AppWrite; readonly reverts: boolean }
  | { readonly next: 'finish'; readonly outcome: Outcome<AppStatus> };

interface Findings extends EndFindings {
  /** The app as it is in Weft and in the object. */
  readonly app?: ListedApp;
  /** False: the object claimed an app that another one has created. */
  readonly isOwner?: false;
}

/** The app that a status claims. */
const ownApp = (status: AppStatus | undefined): Partial<ListedApp> => ({
  ...(status?.appName === undefined ? {} : { name: status.appName }),
  ...(status?.digest === undefined ? {} : { digest: status.digest }),
});

const outcomeOf = ({ object, written, now }: AppFacts, given: Findings): AppDecision => {
  const { status: former, metadata } = object;
  const { name: appName, digest } = given.app ?? (given.isOwner === false ? {} : ownApp(former));
  const isNewlyStored = written !== undefined || (given.app !== undefined && former?.lastSyncedAt === undefined);
  const lastSyncedAt = isNewlyStored ? timeText(now) : former?.lastSyncedAt;
  const status: AppStatus = {
    observedGeneration: metadata.generation,
    ...(appName === undefined ? {} : { appName }),
    ...(digest === undefined ? {} : { digest }),
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

const sourceMissing = (facts: AppFacts, message: string): AppDecision => {
  const { object, now } = facts;
  const again = referenceWait(object.status?.conditions, object.metadata.generation, now);
  return outcomeOf(
    facts,
    again === undefined ? stalled('ReferenceMissing', message) : progressing('WaitingForReferences', message, again),
  );
};

const refused = (facts: AppFacts, message: string): AppDecision =>
  outcomeOf(facts, stalled('Refused', message, { synced: 'Refused' }));

const decideFailure = (facts: AppFacts, failure: Failure): AppDecision => {
  const message =
    failure.kind === 'forbidden'
      ? `${failure.message} Apps need an unlimited key of an owner or admin.`
      : failure.message;
  return outcomeOf(facts, afterFailure({ ...failure, message }));
};

const decideDeletion = (facts: AppFacts): AppDecision => {
  const { object, failure, written, now, startedAt, listed } = facts;
  const { metadata, spec, status } = object;
  if (!hasFinalizer(metadata))
    return { next: 'finish', outcome: { result: 'deleted', again: RESYNC, status: undefined } };
  if (spec.suspend || spec.deletionPolicy === 'Orphan' || written !== undefined || failure?.kind === 'not-found')
    return { next: 'remove-finalizer' };
  if (failure !== undefined) {
    const again = cleanupAgain(failure, metadata, startedAt, now);
    if (again !== undefined) return { next: 'finish', outcome: again };
    const what = status?.appName === undefined ? 'its app, if there is one,' : `the app "${status.appName}"`;
    const message = `Given up after 10 minutes: ${what} stays in Weft. ${failure.message}`;
    return { next: 'remove-finalizer', event: { type: 'Warning', reason: 'Abandoned', message } };
  }
  if (status?.appName === undefined) return { next: 'remove-finalizer' };
  if (listed === undefined) return { next: 'list' };
  const current = listed.find(({ name }) => name === status.appName);
  if (current === undefined || !isOwn(status, current)) return { next: 'remove-finalizer' };
  return { next: 'write', write: { action: 'delete', name: current.name }, reverts: false };
};

/**
 * True if the object manages the app: it was stored by the object before, or it is what the object was about to store
 * when the operator was killed.
 */
const isOwn = (status: AppStatus | undefined, { name, digest }: ListedApp): boolean =>
  status?.appName === name && (status.lastSyncedAt !== undefined || status.digest === digest);

const applied = (facts: AppFacts, app: ListedApp): AppDecision => {
  const { written } = facts;
  return outcomeOf(facts, {
    result: written === undefined ? 'unchanged' : 'applied',
    again: RESYNC,
    app,
    findings: [
      finding('Ready', 'True', 'Applied', 'The app is stored in Weft.'),
      finding('Synced', 'True', 'Applied', 'The app in Weft matches the object.'),
    ],
    ...(written === undefined
      ? {}
      : {
          event: written.hasReverted
            ? { type: 'Normal', reason: 'Reverted', message: 'Replaced a change that was made in Weft.' }
            : { type: 'Normal', reason: 'Applied', message: `Applied: ${written.action}.` },
        }),
  });
};

/**
 * The status to write before the app: the claim of the app, or that a claimed app is known to be stored. Undefined if
 * the status has it already.
 */
const claimOf = (
  { object: { status }, now }: AppFacts,
  { name, digest }: AppSource,
  current: ListedApp | undefined,
): AppStatus | undefined => {
  const isClaimed = status?.appName === name;
  if (isClaimed && status.lastSyncedAt !== undefined) return undefined;
  if (isClaimed && current !== undefined)
    return isOwn(status, current) && current.digest !== digest ? { ...status, lastSyncedAt: timeText(now) } : undefined;
  if (isClaimed && status.digest === digest) return undefined;
  const { lastSyncedAt: _, ...rest } = status ?? {};
  return { ...rest, appName: name, digest };
};

/** Decides for an app whose text and whose state in Weft are known. */
const decideWrite = (facts: AppFacts, source: AppSource, listed: readonly ListedApp[]): AppDecision => {
  const { metadata, status, spec } = facts.object;
  const former = listed.find(({ name }) => name === status?.appName);
  if (former !== undefined && former.name !== source.name && isOwn(status, former))
    return refused(
      facts,
      `The app was "${former.name}" and is now "${source.name}". Create another object for another name.`,
    );
  const current = listed.find(({ name }) => name === source.name);
  if (current !== undefined && !isOwn(status, current) && !wantsAdoption(metadata)) return takenApp(facts, source.name);
  if (!hasFinalizer(metadata)) return { next: 'add-finalizer' };
  const claim = claimOf(facts, source, current);
  if (claim !== undefined) return { next: 'claim', status: claim };
  if (current?.digest === source.digest) return applied(facts, current);
  const hasDrifted = current !== undefined && isOwn(status, current) && current.digest !== status?.digest;
  if (hasDrifted && spec.driftPolicy === 'Warn') {
    const message = 'Changed in Weft since it was applied. Set driftPolicy to Revert to replace that change.';
    const findings = [finding('Ready', 'False', 'Drifted', message), finding('Synced', 'False', 'Drifted', message)];
    return outcomeOf(facts, { result: 'refused', again: RESYNC, findings });
  }
  return {
    next: 'write',
    write: current === undefined ? { action: 'create', source } : { action: 'replace', source, seen: current.digest },
    reverts: hasDrifted,
  };
};

/** The app exists, and another object or a person has added it. */
const takenApp = (facts: AppFacts, name: string): AppDecision => {
  const message =
    `Weft already has an app "${name}" that this object does not manage. ` +
    'To take it over, set the annotation weft.dev/adopt to "true".';
  return outcomeOf(facts, { ...stalled('KeyTaken', message, { synced: 'KeyTaken' }), isOwner: false });
};

/** True if the object and the app are as the last success left them; its text need not be read. */
const isSteady = ({ object: { metadata, spec, status } }: AppFacts, listed: readonly ListedApp[]): boolean =>
  spec.appFrom === undefined &&
  status?.observedGeneration === metadata.generation &&
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true &&
  hasFinalizer(metadata) &&
  listed.some(({ name, digest }) => name === status.appName && digest === status.digest);

/** The next action of a reconciliation, or its end. Pure: the same facts have the same decision. */
export const decideApp = (facts: AppFacts): AppDecision => {
  const { object, failure, source, listed } = facts;
  const { metadata, spec, status } = object;
  if (metadata.deletionTimestamp !== undefined) return decideDeletion(facts);
  if (failure !== undefined) return decideFailure(facts, failure);
  if (spec.suspend)
    return outcomeOf(facts, {
      result: 'unchanged',
      again: RESYNC,
      findings: (status?.conditions ?? []).filter(({ type }) => type === 'Ready' || type === 'Synced'),
    });
  if (spec.appFrom !== undefined && source === undefined) return { next: 'read-source' };
  if (source?.state === 'missing') return sourceMissing(facts, source.message);
  if (source?.state === 'invalid') return refused(facts, source.message);
  if (listed === undefined) return { next: 'list' };
  if (source === undefined && isSteady(facts, listed)) {
    const { appName: name = '', digest = '' } = status ?? {};
    return applied(facts, { name, digest });
  }
  return source === undefined ? { next: 'read-source' } : decideWrite(facts, source.source, listed);
};
