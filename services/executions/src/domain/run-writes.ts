import { freeWrite, fencedWrite, type Fields, type Write } from './write';
import { FIRST_PUBLISH_MS } from './back-off';
import type { Await, Failure, FollowUpTrigger, Segment, StoredAnswer } from './execution';
import { INLINE_BYTES, MAX_NODE_RUNS, MAX_RUN_BYTES, MAX_UPLOADED_BYTES } from './limits';

/** T3: takes every queued execution whose back-off is over. The caller adds the ids. */
export const claimWrite = (claimId: string, runnerId: string, now: Date, leaseMs: number): Write =>
  freeWrite('claim', {
    where: { notBefore: { $not: { $gt: now } } },
    set: { claimId, lease: { runnerId, until: new Date(now.getTime() + leaseMs) } },
    min: { startedAt: now },
  });

/** T4 */
export const heartbeatWrite = (fence: number, now: Date, leaseMs: number): Write =>
  fencedWrite('heartbeat', fence, { set: { 'lease.until': new Date(now.getTime() + leaseMs) } });

/** Engine state as it is stored: inline or a chunk. */
export interface StoredEngineState {
  readonly bytes?: Buffer;
  readonly chunk?: string;
}

/** What a checkpoint, a wait, a hand-back or an end adds to the run data. */
export interface Progress {
  /** Absent when no node ran. */
  readonly segment?: Segment;
  /** Absent: what is stored stays. */
  readonly engineState?: StoredEngineState;
  readonly lastNode?: string;
  /** Absent: what is stored stays. */
  readonly customData?: string;
  /** Absent: what is stored stays. */
  readonly tokenHash?: string;
}

/** The conditions that keep a document within its bounds, and the changes of its counters. */
const growth = ({ segment }: Progress): { where: Fields; inc: Record<string, number>; push: Fields } => {
  if (segment === undefined) return { where: {}, inc: {}, push: {} };
  const inline = segment.bytes?.length ?? 0;
  return {
    where: {
      runCount: { $lte: MAX_NODE_RUNS - segment.count },
      dataBytes: { $lte: MAX_RUN_BYTES - segment.totalBytes },
      ...(inline === 0 ? {} : { inlineBytes: { $lte: INLINE_BYTES - inline } }),
    },
    inc: { runCount: segment.count, dataBytes: segment.totalBytes, ...(inline === 0 ? {} : { inlineBytes: inline }) },
    push: { manifest: segment },
  };
};

const engineFields = ({ engineState }: Progress): { set: Fields; unset: readonly string[] } => {
  if (engineState === undefined) return { set: {}, unset: [] };
  if (engineState.chunk !== undefined) return { set: { engineStateChunk: engineState.chunk }, unset: ['engineState'] };
  return { set: { engineState: engineState.bytes }, unset: ['engineStateChunk'] };
};

const shownFields = ({ lastNode, customData, tokenHash }: Progress): Fields => ({
  ...(lastNode === undefined ? {} : { lastNode }), ...(customData === undefined ? {} : { customData }), ...(tokenHash === undefined ? {} : { tokenHash }),
});

/** `before`: the number of checkpoints stored before this one. */
const stepWrite = (transition: 'checkpoint' | 'wait' | 'handBack', fence: number, before: number, progress: Progress, more: Fields, demands: Fields = {}): Write => {
  const { where, inc, push } = growth(progress);
  const engine = engineFields(progress);
  return fencedWrite(transition, fence, {
    where: { checkpoint: before, ...where, ...demands },
    set: { checkpoint: before + 1, ...shownFields(progress), ...engine.set, ...more },
    unset: engine.unset,
    inc,
    push,
  });
};

/** T5: checkpoint number `checkpoint`. */
export const checkpointWrite = (fence: number, checkpoint: number, progress: Progress): Write => stepWrite('checkpoint', fence, checkpoint - 1, progress, {});

/** T8: parks the execution after `before` checkpoints; it is one more itself. An answer is stored with it if there is none. */
export const waitWrite = (fence: number, before: number, progress: Progress, waitsFor: Await, answer?: StoredAnswer): Write => {
  const { tokenHash } = waitsFor;
  const more = { await: waitsFor, ...(tokenHash === undefined ? {} : { tokenHash, hasWaited: true }), ...(answer === undefined ? {} : { response: answer }) };
  return stepWrite('wait', fence, before, progress, more, answer === undefined ? {} : { response: { $exists: false } });
};

/** T10: back into the queue at once, after `before` checkpoints; it is one more itself. */
export const handBackWrite = (fence: number, before: number, progress: Progress, now: Date): Write =>
  stepWrite('handBack', fence, before, progress, { publishAt: new Date(now.getTime() + FIRST_PUBLISH_MS) });

/** Back into the queue without progress, not to be claimed before a while: the claim cannot be answered now. */
export const putBackWrite = (fence: number, notBefore: Date): Write => fencedWrite('handBack', fence, { set: { publishAt: notBefore, notBefore } });

/** Makes room for an upload, if there is some left. */
export const uploadWrite = (fence: number, bytes: number): Write =>
  fencedWrite('upload', fence, { where: { uploadedBytes: { $lte: MAX_UPLOADED_BYTES - bytes } }, inc: { uploadedBytes: bytes } });

/** Stores an answer if there is none, and the hash of the token that it may give out. */
export const respondWrite = (fence: number, answer: StoredAnswer, tokenHash?: string): Write =>
  fencedWrite('respond', fence, { where: { response: { $exists: false } }, set: { response: answer, ...(tokenHash === undefined ? {} : { tokenHash }) } });

/** How a runner ended a run. */
export interface RunEnd {
  readonly fence: number;
  /** Checkpoints stored before. */
  readonly checkpoint: number;
  /** Absent: success. */
  readonly failure?: Failure;
  /** Made from the end of the run; only if none was stored before. */
  readonly answer?: StoredAnswer;
  /** Of a failed run: node runs, from the first, that the engine state builds on. */
  readonly engineStateRuns?: number;
}

/** T6, T7 */
export const reportWrite = (end: RunEnd, progress: Progress, now: Date, retentionMs: number): Write => {
  const { where, inc, push } = growth(progress);
  const ending = endFields(end.failure === undefined ? 'success' : 'error', now, retentionMs);
  const engine = end.failure === undefined ? { set: {}, unset: [] } : engineFields(progress);
  return fencedWrite(end.failure === undefined ? 'succeed' : 'fail', end.fence, {
    where: { checkpoint: end.checkpoint, ...where, ...(end.answer === undefined ? {} : { response: { $exists: false } }) },
    set: {
      ...ending.set,
      ...shownFields(progress),
      ...engine.set,
      ...(end.failure === undefined ? {} : { error: end.failure }),
      ...(end.failure === undefined || end.engineStateRuns === undefined ? {} : { engineStateRuns: end.engineStateRuns }),
      ...(end.answer === undefined ? {} : { response: end.answer }),
    },
    unset: engine.unset,
    inc,
    push,
    arrayFilters: ending.arrayFilters,
  });
};

const ARMED: Readonly<Record<'success' | 'error' | 'cancelled', readonly FollowUpTrigger[]>> = {
  success: ['end', 'success'], error: ['end', 'error', 'stop'], cancelled: ['end', 'stop'],
};

/** What an end sets, and the follow-ups it arms. `retentionMs` 0: kept for ever. */
export const endFields = (outcome: 'success' | 'error' | 'cancelled', now: Date, retentionMs: number): { set: Fields; arrayFilters: readonly Fields[] } => ({
  set: {
    finishedAt: now,
    ...(retentionMs === 0 ? {} : { expireAt: new Date(now.getTime() + retentionMs) }),
    'followUps.$[armed].due': now,
  },
  arrayFilters: [{ 'armed.when': { $in: ARMED[outcome] } }],
});
