import { FIRST_PUBLISH_MS } from './back-off';
import { MAX_CRASHES } from './limits';
import { END_REASONS } from './errors';
import type { ExecutionRecord, ExecutionError, CompletionHook, StoredResponse } from './execution';
import { endFields, retentionOf } from './run-writes';
import { absent, before, fencedWrite, freeWrite, type Conditions, type Write } from './write';

/** Event that woke a waiting execution, in the form its runner reads: `kind` timer, webhook (with `items`) or child. */
export type WakeCause =
  | { readonly kind: 'timer' }
  /** `response`: the response to the previous caller, if there was one. */
  | { readonly kind: 'webhook'; readonly itemsJson: Buffer; readonly response?: StoredResponse }
  | { readonly kind: 'child' };

const resume = (cause: WakeCause): Buffer => {
  if (cause.kind !== 'webhook') return Buffer.from(`{"kind":"${cause.kind}"}`);
  return Buffer.concat([Buffer.from('{"kind":"webhook","items":'), cause.itemsJson, Buffer.from('}')]);
};

/** T8b: back into the queue. `where` identifies the wait, so that it ends only once. */
export const wakeWrite = (where: Conditions, cause: WakeCause, now: Date): Write =>
  freeWrite('wake', {
    where,
    set: {
      resume: resume(cause),
      publishAt: new Date(now.getTime() + FIRST_PUBLISH_MS),
      ...(cause.kind === 'webhook' && cause.response !== undefined ? { lastResponse: cause.response } : {}),
    },
    // The call that wakes it by a token may wait for a separate response.
    ...(cause.kind === 'webhook'
      ? { remove: cause.response === undefined ? ['response', 'lastResponse'] : ['response'], inc: { responseSeq: 1 } }
      : {}),
  });

/** Sets when the sweeper checks a waiting execution again. */
export const recheckWrite = (seen: Date, at: Date): Write =>
  freeWrite('recheck', { where: { 'wait.checkAt': seen }, set: { 'wait.checkAt': at } });

const failed = (reason: string, message: string): ExecutionError => ({ reason, message, node: '', errorJson: '' });

/** Reason in the record of a child that is cancelled with its parent. */
export const parentEnded = (parentId: string): string =>
  `The execution was cancelled, because its parent, execution ${parentId}, has ended.`;

/** T11; `why` is a sentence for users. */
export const cancelWrite = (now: Date, retentionMs: number, why = 'The execution was cancelled.'): Write => {
  const { set, setElements } = endFields('cancelled', now, retentionMs);
  return freeWrite('cancel', { set: { ...set, error: failed(END_REASONS.cancelled, why) }, setElements });
};

/** T11 for an execution that gets no slot of its concurrency key, or has to give up its slot. */
export const concurrencyLimitWrite = (now: Date, retentionMs: number, why: string): Write => {
  const { set, setElements } = endFields('cancelled', now, retentionMs);
  return freeWrite('cancel', { set: { ...set, error: failed(END_REASONS.concurrencyLimit, why) }, setElements });
};

/** T15: the requested slot, stored before the execution holds it, so that its end frees it. */
export const assignSlotWrite = (fence: number, slotId: string): Write =>
  fencedWrite('assignSlot', fence, { set: { 'concurrency.slotId': slotId, actedFence: fence } });

/** T15h: back into the queue; not published before a slot is free. */
export const awaitSlotWrite = (fence: number, slotId: string): Write =>
  fencedWrite('awaitSlot', fence, { set: { waitsForSlotId: slotId }, remove: ['startedAt'] });

/** T15a: it holds a slot. */
export const admitWrite = (slotId: string, now: Date): Write =>
  freeWrite('admit', {
    where: { waitsForSlotId: slotId },
    set: { publishAt: new Date(now.getTime() + FIRST_PUBLISH_MS) },
  });

/** T12: only after the deadline. */
export const timeOutWrite = (now: Date, retentionMs: number): Write => {
  const { set, setElements } = endFields('error', now, retentionMs);
  return freeWrite('timeOut', {
    where: { deadlineAt: before(now) },
    set: { ...set, error: failed(END_REASONS.timedOut, 'The execution took longer than its time limit.') },
    setElements,
  });
};

/** T13: another publication; only if no other replica published it meanwhile. */
export const republishWrite = (
  { generation, republished = 0 }: Pick<ExecutionRecord, 'generation' | 'republished'>,
  next: Date,
): Write =>
  freeWrite('republish', {
    where: { generation, waitsForSlotId: absent },
    set: { publishAt: next, republished: republished + 1 },
  });

/** The replica that took it publishes it at that time; any other slightly later. */
const publishAfter = (moment: Date): Date => new Date(moment.getTime() + 5_000);

/** The execution of a dead runner, as the sweeper found it. */
export type Expired = Pick<
  ExecutionRecord,
  | '_id'
  | 'versionId'
  | 'fence'
  | 'actedFence'
  | 'lease'
  | 'crashes'
  | 'runsAlone'
  | 'nodeRunCount'
  | 'runsAtCrash'
  | 'crashPolicy'
  | 'generation'
  | 'retentionMs'
>;

/**
 * True if the runner was active with the expired claim. A claim that was never active costs nothing: its response was
 * lost, or its runner died with it.
 */
export const hasActed = ({ fence, actedFence }: Expired): boolean => actedFence === fence;

/**
 * True if this crash is charged to the execution. The first lease of an inline run is so short that a runner that was
 * only suspended, or disconnected for a moment, loses it as well.
 */
export const isCharged = (found: Expired): boolean => hasActed(found) && found.lease?.ms === undefined;

/**
 * The crash count of an execution, including this crash. Node runs stored since the last crash are progress. An
 * execution that must be isolated but has no crashes lost an inactive claim; now that a runner crashed again, that one
 * counts as well.
 */
export const crashesOf = ({ crashPolicy, crashes, nodeRunCount, runsAtCrash, runsAlone }: Expired): number => {
  if (crashPolicy === 'resume' && nodeRunCount > runsAtCrash) return 1;
  return (crashes === 0 && runsAlone === true ? 1 : crashes) + 1;
};

/** True if an execution reached the maximum crash count, the last time in isolation. */
export const isDeadly = (found: Expired): boolean =>
  isCharged(found) && found.lease?.alone === true && crashesOf(found) >= MAX_CRASHES;

/**
 * True if an execution is abandoned after this crash: by the policy of its workflow, or after too many crashes without
 * progress, the last of which no other execution can have caused.
 */
export const isGivenUp = (found: Expired): boolean =>
  hasActed(found) && (found.crashPolicy === 'fail' || isDeadly(found));

/** Traces of an attempt that the next one begins without. */
const LOST_DATA = {
  manifest: [],
  log: [],
  nodeRunCount: 0,
  dataBytes: 0,
  inlineBytes: 0,
  uploadedBytes: 0,
  checkpoint: 0,
} as const;

const LOST_FIELDS = [
  'engineState',
  'engineStateChunk',
  'engineStateVersion',
  'lastNode',
  'response',
  'customData',
] as const;

/** The lease as the sweeper has seen it: a runner that renewed it since keeps the execution. */
const asSeen = ({ lease }: Expired): Conditions => ({ 'lease.until': lease?.until });

/**
 * T9: back into the queue after a back-off, to be isolated; with an increased crash count if it is charged. Under
 * `restart` the next attempt starts empty.
 */
export const expireWrite = (found: Expired, notBefore: Date): Write => {
  const restarts = found.crashPolicy === 'restart';
  return fencedWrite('expire', found.fence, {
    where: asSeen(found),
    set: {
      ...(isCharged(found) ? { crashes: crashesOf(found), runsAtCrash: restarts ? 0 : found.nodeRunCount } : {}),
      runsAlone: true,
      publishAt: publishAfter(notBefore),
      notBefore,
      ...(restarts ? LOST_DATA : {}),
    },
    remove: restarts ? LOST_FIELDS : [],
  });
};

/**
 * T9 for a claim that was never active: back into the queue at once, without a crash. It is isolated, since it may have
 * crashed its runner before it became active.
 */
export const returnWrite = (found: Expired, now: Date): Write =>
  fencedWrite('expire', found.fence, { where: asSeen(found), set: { runsAlone: true, publishAt: publishAfter(now) } });

/** T9c: abandoned. */
export const crashWrite = (found: Expired, now: Date, retentionMs: number): Write => {
  const { set, setElements } = endFields('error', now, retentionOf(found, retentionMs));
  const crashes = crashesOf(found);
  return fencedWrite('crash', found.fence, {
    where: asSeen(found),
    set: {
      ...set,
      crashes,
      error: failed(
        END_REASONS.crashed,
        `The runner died ${crashes === 1 ? 'once' : `${crashes} times`} while it ran this execution.`,
      ),
    },
    setElements,
  });
};

/** T14: a completion hook is completed. */
export const completeHookWrite = ({ kind, target }: CompletionHook): Write =>
  freeWrite('updateEnded', { removeElements: { postRunActions: { kind, target } } });

/** T14: a completion hook is postponed. */
export const postponeHookWrite = ({ kind, target, tries = 0 }: CompletionHook, due: Date): Write =>
  freeWrite('updateEnded', {
    setElements: { list: 'postRunActions', where: { kind, target }, set: { due, tries: tries + 1 } },
  });

/** Fields by which a deleted execution could be found, and its data. */
const REMOVED = [
  'idempotencyKey',
  'requestHash',
  'tokenHash',
  'input',
  'inputChunk',
  'response',
  'lastResponse',
  'customData',
  'log',
] as const;

/** T14: deleted for every caller; the rest is removed once no hook is pending. */
export const removeWrite = (now: Date): Write =>
  freeWrite('updateEnded', { set: { deletedAt: now, expireAt: now, manifest: [], inlineBytes: 0 }, remove: REMOVED });

/** T14: the record expires then. */
export const expireRecordWrite = (expireAt: Date): Write => freeWrite('updateEnded', { set: { expireAt } });

/** T14: a retry of the execution succeeded. */
export const retrySucceededWrite = (retryId: string): Write =>
  freeWrite('updateEnded', { set: { retrySuccessId: retryId } });
