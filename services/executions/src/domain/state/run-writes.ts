import {
  absent,
  absentOrOneOf,
  atMost,
  fencedWrite,
  freeWrite,
  notBetween,
  oneOf,
  type Changes,
  type Conditions,
  type ElementChange,
  type Fields,
  type Write,
} from './write';
import { FIRST_PUBLISH_MS } from './back-off';
import type {
  PendingWait,
  ExecutionRecord,
  ExecutionError,
  PostRunTrigger,
  LoggedSegment,
  Segment,
  StoredResponse,
} from './execution';
import { INLINE_BYTES, MAX_NODE_RUNS, MAX_RUN_BYTES, MAX_UPLOADED_BYTES, MAX_RELEASE_DELAY_MS } from './limits';

/** One claim of a runner, and which sending of it this is. */
export interface ClaimStamp {
  readonly claimId: string;
  readonly attempt: number;
  readonly runnerId: string;
  /** The runner executes nothing beside what it wins. */
  readonly alone: boolean;
  /** Versions of the engine state that the runner can go on from. */
  readonly engineStateVersions: readonly number[];
}

/** True if a record is held by this sending of a claim; `QUERIES` of the store find the same. */
export const isHeldByClaim = (
  { state, claimId, lease }: Pick<ExecutionRecord, 'state' | 'claimId' | 'lease'>,
  claim: Pick<ClaimStamp, 'claimId' | 'attempt'>,
): boolean => state === 'running' && claimId === claim.claimId && lease?.attempt === claim.attempt;

/**
 * T3: takes every queued execution whose back-off is over; those over which a runner died only if it is alone, and
 * none whose state the runner does not know. The caller adds the ids. A back-off that is further away than any can be
 * was written by a clock that is wrong, and counts as over. `isFirstLeaseShort`: the lease is another one than that of
 * the instance.
 */
export const claimWrite = (
  { claimId, attempt, runnerId, alone, engineStateVersions }: ClaimStamp,
  now: Date,
  leaseMs: number,
  isFirstLeaseShort = false,
): Write =>
  freeWrite('claim', {
    where: {
      notBefore: notBetween(now, new Date(now.getTime() + MAX_RELEASE_DELAY_MS)),
      ...(alone ? {} : { runsAlone: absent }),
      waitsForSlotId: absent,
      engineStateVersion: absentOrOneOf(engineStateVersions),
    },
    set: {
      claimId,
      lease: {
        runnerId,
        until: new Date(now.getTime() + leaseMs),
        attempt,
        alone,
        ...(isFirstLeaseShort ? { ms: leaseMs } : {}),
      },
    },
    lower: { startedAt: now },
  });

/** T3r: a repeated claim takes over what an earlier sending of it has won. */
export const renewClaimWrite = (
  { claimId, attempt }: Pick<ClaimStamp, 'claimId' | 'attempt'>,
  now: Date,
  leaseMs: number,
): Write =>
  freeWrite('renewClaim', {
    where: { claimId, 'lease.attempt': atMost(attempt) },
    set: { 'lease.attempt': attempt, 'lease.until': new Date(now.getTime() + leaseMs) },
  });

/** T4. `isShared`: others are about to run beside an execution that was claimed alone. */
export const heartbeatWrite = (fence: number, now: Date, leaseMs: number, isShared = false): Write =>
  fencedWrite('heartbeat', fence, {
    set: {
      'lease.until': new Date(now.getTime() + leaseMs),
      actedFence: fence,
      ...(isShared ? { 'lease.alone': false } : {}),
    },
    remove: ['lease.ms'],
  });

/** T4p: the claim is about to act on the outside. */
export const persistWrite = (fence: number): Write => fencedWrite('persist', fence, { set: { actedFence: fence } });

/** Engine state as it is stored: inline or a chunk. */
export interface StoredEngineState {
  readonly version: number;
  readonly bytes?: Buffer;
  readonly chunk?: string;
}

/** Segments that were written to the log. */
export interface Logged {
  readonly segments: readonly LoggedSegment[];
  /** Node runs among them that the document does not count yet, and the bytes of their records. */
  readonly count: number;
  readonly totalBytes: number;
  /** Node runs that the document counted when what lay in it was read: only then may that leave it. */
  readonly after: number;
}

/** Additions of a checkpoint, a wait, a release or an end to the run data. */
export interface Progress {
  /** Segments that go into the document. Absent when no node ran, or when the node runs go into the log. */
  readonly segments?: readonly Segment[];
  /** Instead: the log segments of the node runs, and of all that lay in the document before. */
  readonly logged?: Logged;
  /** Absent: what is stored stays. */
  readonly engineState?: StoredEngineState;
  readonly lastNode?: string;
  /** Absent: what is stored stays. */
  readonly customData?: string;
  /** Absent: what is stored stays. */
  readonly tokenHash?: string;
}

/** Bytes that segments take in the document. */
export const inlineBytesOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { bytes, runs }) => sum + (bytes?.length ?? 0) + Buffer.byteLength(runs), 0);

/** Node runs of segments, and the bytes of their records. */
export const sizeOfSegments = (segments: readonly Segment[]): Pick<Segment, 'count' | 'totalBytes'> => ({
  count: segments.reduce((sum, { count }) => sum + count, 0),
  totalBytes: segments.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
});

const withinBounds = (count: number, totalBytes: number): Conditions => ({
  nodeRunCount: atMost(MAX_NODE_RUNS - count),
  dataBytes: atMost(MAX_RUN_BYTES - totalBytes),
});

interface Growth extends Pick<Changes, 'set' | 'inc' | 'append'> {
  readonly where: Conditions;
}

/**
 * The conditions that keep a document within its bounds, and the changes of its counters. What moves to the log leaves
 * the document: the number of node runs ensures that nothing came in between.
 */
const growth = ({ segments, logged }: Progress): Growth => {
  if (logged !== undefined) {
    const { count, totalBytes, after } = logged;
    return {
      where: { ...withinBounds(count, totalBytes), nodeRunCount: after },
      set: { manifest: [], inlineBytes: 0 },
      inc: { nodeRunCount: count, dataBytes: totalBytes },
      append: { log: logged.segments },
    };
  }
  if (segments === undefined) return { where: {}, set: {}, inc: {} };
  const inline = inlineBytesOf(segments);
  const { count, totalBytes } = sizeOfSegments(segments);
  return {
    where: { ...withinBounds(count, totalBytes), inlineBytes: atMost(INLINE_BYTES - inline) },
    set: {},
    inc: { nodeRunCount: count, dataBytes: totalBytes, inlineBytes: inline },
    append: { manifest: segments },
  };
};

const engineFields = ({ engineState }: Progress): Pick<Changes, 'set' | 'remove'> => {
  if (engineState === undefined) return { set: {}, remove: [] };
  const { version: engineStateVersion, bytes, chunk } = engineState;
  if (chunk !== undefined) return { set: { engineStateChunk: chunk, engineStateVersion }, remove: ['engineState'] };
  return { set: { engineState: bytes, engineStateVersion }, remove: ['engineStateChunk'] };
};

const shownFields = ({ lastNode, customData, tokenHash }: Progress): Fields => ({
  ...(lastNode === undefined ? {} : { lastNode }),
  ...(customData === undefined ? {} : { customData }),
  ...(tokenHash === undefined ? {} : { tokenHash }),
});

/** `before`: the number of checkpoints stored before this one. */
const stepWrite = (
  transition: 'checkpoint' | 'wait' | 'release',
  fence: number,
  before: number,
  progress: Progress,
  more: Fields,
  demands: Conditions = {},
  removes: readonly string[] = [],
): Write => {
  const { where, set, inc, append } = growth(progress);
  const engine = engineFields(progress);
  return fencedWrite(transition, fence, {
    where: { checkpoint: before, ...where, ...demands },
    set: { checkpoint: before + 1, ...set, ...shownFields(progress), ...engine.set, ...more },
    remove: [...engine.remove, ...removes],
    inc,
    append,
  });
};

/** T5: checkpoint number `checkpoint`. */
export const checkpointWrite = (fence: number, checkpoint: number, progress: Progress): Write =>
  stepWrite('checkpoint', fence, checkpoint - 1, progress, { actedFence: fence });

/** The deadline of a run that has the default one, once it waits; without a date there is none any more. */
export interface DeadlineRenewal {
  readonly deadlineAt?: Date;
}

/**
 * T8: pauses the execution after `before` checkpoints; it is one more itself. A response is stored with it if there is
 * none.
 * @param renewal only for an execution with the default deadline; any other is not paused by this write.
 */
export const waitWrite = (
  fence: number,
  before: number,
  progress: Progress,
  waitsFor: PendingWait,
  response?: StoredResponse,
  renewal?: DeadlineRenewal,
): Write => {
  const { tokenHash } = waitsFor;
  // It paused by itself: whatever happened before, it does not endanger others.
  const more = {
    wait: waitsFor,
    crashes: 0,
    ...(tokenHash === undefined ? {} : { tokenHash, hasWaited: true }),
    ...(response === undefined ? {} : { response }),
    ...renewal,
  };
  const demands = {
    ...(response === undefined ? {} : { response: absent }),
    ...(renewal === undefined ? {} : { deadlineRenews: true }),
  };
  return stepWrite(
    'wait',
    fence,
    before,
    progress,
    more,
    demands,
    renewal !== undefined && renewal.deadlineAt === undefined ? ['deadlineAt'] : [],
  );
};

/** Time at which a run that was returned may be claimed, and is published. */
const queuedFor = (now: number, delayMs: number): Fields =>
  delayMs === 0
    ? { publishAt: new Date(now + FIRST_PUBLISH_MS) }
    : { publishAt: new Date(now + delayMs), notBefore: new Date(now + delayMs) };

/** T10: back into the queue, at once or after a delay, after `before` checkpoints; it is one more itself. */
export const releaseWrite = (fence: number, before: number, progress: Progress, now: Date, delayMs = 0): Write =>
  stepWrite('release', fence, before, progress, queuedFor(now.getTime(), delayMs));

/**
 * Back into the queue without progress, as the claim cannot be answered now; only if no later sending of the claim has
 * taken it over.
 */
export const unclaimWrite = (fence: number, attempt: number, notBefore: Date): Write =>
  fencedWrite('unclaim', fence, { where: { 'lease.attempt': attempt }, set: { publishAt: notBefore, notBefore } });

/** Makes room for an upload, if there is some left. */
export const uploadWrite = (fence: number, bytes: number): Write =>
  fencedWrite('upload', fence, {
    where: { uploadedBytes: atMost(MAX_UPLOADED_BYTES - bytes) },
    set: { actedFence: fence },
    inc: { uploadedBytes: bytes },
  });

/** Stores a response if there is none, and the hash of the token that it may give out. */
export const respondWrite = (fence: number, response: StoredResponse, tokenHash?: string): Write =>
  fencedWrite('respond', fence, {
    where: { response: absent },
    set: { response, actedFence: fence, ...(tokenHash === undefined ? {} : { tokenHash }) },
  });

/** End of a run, as its runner reported it. */
export interface RunEnd {
  readonly fence: number;
  /** Checkpoints stored before. */
  readonly checkpoint: number;
  /** Absent: success. */
  readonly error?: ExecutionError;
  /** Made from the end of the run; only if none was stored before. */
  readonly response?: StoredResponse;
  /** Of a failed run: node runs, from the first, that the engine state builds on. */
  readonly engineStateRuns?: number;
  /** Of a success: the record is hidden at once, and deleted. */
  readonly discard?: boolean;
  /** Of a sub-workflow that succeeded: as in `ExecutionRecord`. */
  readonly resultOrigins?: Buffer;
}

/** Retention of the record. `isDefault`: only if its workflow says nothing else. */
export interface Retention {
  readonly ms: number;
  readonly isDefault: boolean;
}

/** Retention of a record, once the setting of its workflow is known. */
export const retentionOf = ({ retentionMs }: Pick<ExecutionRecord, 'retentionMs'>, defaultMs: number): number =>
  retentionMs ?? defaultMs;

/** T6, T7 */
export const reportWrite = (end: RunEnd, progress: Progress, now: Date, retention: Retention): Write => {
  const { where, set, inc, append } = growth(progress);
  const ending = endFields(end.error === undefined ? 'success' : 'error', now, retention.ms);
  const engine = end.error === undefined ? { set: {}, remove: [] } : engineFields(progress);
  return fencedWrite(end.error === undefined ? 'succeed' : 'fail', end.fence, {
    where: {
      checkpoint: end.checkpoint,
      ...where,
      ...(retention.isDefault ? { retentionMs: absent } : {}),
      ...(end.response === undefined ? {} : { response: absent }),
    },
    set: {
      ...ending.set,
      ...set,
      ...shownFields(progress),
      ...engine.set,
      ...(end.error === undefined ? {} : { error: end.error }),
      ...(end.error === undefined || end.engineStateRuns === undefined ? {} : { engineStateRuns: end.engineStateRuns }),
      ...(end.response === undefined ? {} : { response: end.response }),
      ...(end.resultOrigins === undefined ? {} : { resultOrigins: end.resultOrigins }),
      ...(end.error === undefined && end.discard === true ? { deletedAt: now, expireAt: now } : {}),
    },
    remove: engine.remove,
    inc,
    append,
    setElements: ending.setElements,
  });
};

const ARMED: Readonly<Record<'success' | 'error' | 'cancelled', readonly PostRunTrigger[]>> = {
  success: ['end', 'success'],
  error: ['end', 'error', 'stop'],
  cancelled: ['end', 'stop'],
};

/** Fields that an end sets, and the post-run actions it arms. `retentionMs` 0: retained for ever. */
export const endFields = (
  outcome: 'success' | 'error' | 'cancelled',
  now: Date,
  retentionMs: number,
): { readonly set: Fields; readonly setElements: ElementChange } => ({
  set: {
    finishedAt: now,
    ...(retentionMs === 0 ? {} : { expireAt: new Date(now.getTime() + retentionMs) }),
  },
  setElements: { list: 'postRunActions', where: { when: oneOf(ARMED[outcome]) }, set: { due: now } },
});
