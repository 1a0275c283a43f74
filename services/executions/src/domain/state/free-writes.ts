import { FIRST_PUBLISH_MS } from './back-off';
import { END_REASONS } from './errors';
import type { ExecutionRecord, ExecutionError, CompletionHook, StoredResponse } from './execution';
import { endFields } from './run-writes';
import { absent, before, fencedWrite, freeWrite, type Conditions, type Write } from './write';

/**
 * Event that woke a waiting execution, in the form its runner reads: `kind` timer, webhook (with `items`), child, or
 * approval (with the decision).
 */
export type WakeCause =
  /** `opensResponse`: a caller that follows the run waits for a separate response. */
  | { readonly kind: 'timer'; readonly opensResponse?: boolean }
  /** `response`: the response to the previous caller, if there was one. */
  | { readonly kind: 'webhook'; readonly itemsJson: Buffer; readonly response?: StoredResponse }
  | { readonly kind: 'child' }
  | {
      readonly kind: 'approval';
      readonly decision: 'approve' | 'reject';
      readonly message?: string;
      readonly decidedBy?: string;
      /** Unix milliseconds. */
      readonly decidedAt: number;
    };

const resume = (cause: WakeCause): Buffer => {
  if (cause.kind === 'approval') return Buffer.from(JSON.stringify(cause));
  if (cause.kind !== 'webhook') return Buffer.from(`{"kind":"${cause.kind}"}`);
  return Buffer.concat([Buffer.from('{"kind":"webhook","items":'), cause.itemsJson, Buffer.from('}')]);
};

/** T8b: back into the queue. `where` identifies the wait, so that it ends only once. */
export const wakeWrite = (where: Conditions, cause: WakeCause, now: Date): Write => {
  const lastResponse = cause.kind === 'webhook' ? cause.response : undefined;
  // The call that wakes it by a token may wait for a separate response.
  const opensResponse = cause.kind === 'webhook' || (cause.kind === 'timer' && cause.opensResponse === true);
  return freeWrite('wake', {
    where,
    set: {
      resume: resume(cause),
      publishAt: new Date(now.getTime() + FIRST_PUBLISH_MS),
      ...(lastResponse === undefined ? {} : { lastResponse }),
    },
    ...(opensResponse
      ? { remove: lastResponse === undefined ? ['response', 'lastResponse'] : ['response'], inc: { responseSeq: 1 } }
      : {}),
  });
};

/** Sets when the sweeper checks a waiting execution again. */
export const recheckWrite = (seen: Date, at: Date): Write =>
  freeWrite('recheck', { where: { 'wait.checkAt': seen }, set: { 'wait.checkAt': at } });

/** The error of an execution that ended without a result. */
export const failed = (reason: string, message: string): ExecutionError => ({
  reason,
  message,
  node: '',
  errorJson: '',
});

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
