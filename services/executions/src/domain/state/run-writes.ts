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
  HookTrigger,
  LoggedSegment,
  Segment,
  StoredResponse,
} from './execution';
import { INLINE_BYTES, MAX_NODE_RUNS, MAX_RUN_BYTES, MAX_UPLOADED_BYTES, MAX_RELEASE_DELAY_MS } from './limits';
import { customDataPairsOf } from './custom-data-pairs';

/** One claim of a runner, and its attempt. */
export interface ClaimStamp {
  readonly claimId: string;
  readonly attempt: number;
  readonly runnerId: string;
  /** The runner executes nothing else meanwhile. */
  readonly isolated: boolean;
  /** Versions of the engine state that the runner can resume. */
  readonly engineStateVersions: readonly number[];
}

/** True if this attempt of a claim holds a record; `QUERIES` of the store use the same condition. */
export const isHeldByClaim = (
  { state, claimId, lease }: Pick<ExecutionRecord, 'state' | 'claimId' | 'lease'>,
  claim: Pick<ClaimStamp, 'claimId' | 'attempt'>,
): boolean => state === 'running' && claimId === claim.claimId && lease?.attempt === claim.attempt;

/**
 * T3: claims every queued execution whose back-off is over; those that crashed a runner only for isolation, and none
 * whose state version the runner does not support. The caller adds the ids. A back-off beyond the maximum was written
 * by a wrong clock, and counts as over. `isFirstLeaseShort`: the lease differs from that of the instance.
 */
export const claimWrite = (
  { claimId, attempt, runnerId, isolated, engineStateVersions }: ClaimStamp,
  now: Date,
  leaseMs: number,
  isFirstLeaseShort = false,
): Write =>
  freeWrite('claim', {
    where: {
      notBefore: notBetween(now, new Date(now.getTime() + MAX_RELEASE_DELAY_MS)),
      ...(isolated ? {} : { runsAlone: absent }),
      waitsForSlotId: absent,
      engineStateVersion: absentOrOneOf(engineStateVersions),
    },
    set: {
      claimId,
      lease: {
        runnerId,
        until: new Date(now.getTime() + leaseMs),
        attempt,
        alone: isolated,
        ...(isFirstLeaseShort ? { ms: leaseMs } : {}),
      },
    },
    lower: { startedAt: now },
  });

/** T3r: a repeated claim takes over what an earlier attempt holds. */
export const renewClaimWrite = (
  { claimId, attempt }: Pick<ClaimStamp, 'claimId' | 'attempt'>,
  now: Date,
  leaseMs: number,
): Write =>
  freeWrite('renewClaim', {
    where: { claimId, 'lease.attempt': atMost(attempt) },
    set: { 'lease.attempt': attempt, 'lease.until': new Date(now.getTime() + leaseMs) },
  });

/** Facts that a heartbeat reports about a claim. */
export interface Beat {
  /** The process that holds the execution from now on. Absent or empty: the same as before. */
  readonly runnerId?: string;
  /** Other runs are about to share the process of an isolated execution. */
  readonly isShared?: boolean;
  /** The run waits for a response or a timer, until another heartbeat reports that it does not. */
  readonly isWaiting?: boolean;
  /** Progress for followers of the run, until it is stored. */
  readonly progress?: Buffer;
}

/** T4: renews the lease. */
export const heartbeatWrite = (fence: number, now: Date, leaseMs: number, beat: Beat = {}): Write => {
  const { runnerId = '', isShared = false, isWaiting = false, progress } = beat;
  return fencedWrite('heartbeat', fence, {
    set: {
      ...(runnerId === '' ? {} : { 'lease.runnerId': runnerId }),
      'lease.until': new Date(now.getTime() + leaseMs),
      actedFence: fence,
      ...(isShared ? { 'lease.alone': false } : {}),
      ...(isWaiting ? { 'lease.waits': true } : {}),
      ...(progress === undefined ? {} : { 'lease.progress': progress, 'lease.progressAt': now.getTime() }),
    },
    remove: isWaiting ? ['lease.ms'] : ['lease.ms', 'lease.waits'],
  });
};

/** T4p: the claim is about to have side effects. */
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
  /** Node runs counted by the document when its inline ones were read: only then may those be removed. */
  readonly after: number;
}

/** Additions of a checkpoint, a wait, a release or an end to the run data. */
export interface Progress {
  /** Segments that go into the document. Absent when no node ran, or when the node runs go into the log. */
  readonly segments?: readonly Segment[];
  /** Instead: the log segments of the node runs, and of all earlier ones in the document. */
  readonly logged?: Logged;
  /** Absent: unchanged. */
  readonly engineState?: StoredEngineState;
  readonly lastNode?: string;
  /** Absent: unchanged, like the next two. */
  readonly customData?: string;
  readonly modelUsage?: ExecutionRecord['modelUsage'];
  readonly tokenHash?: string;
  /** The last of its node runs, if that failed. */
  readonly failedRun?: ExecutionRecord['failedRun'];
}

/** Bytes of segments in the document. */
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
 * The conditions that keep a document within its limits, and the changes of its counters. Node runs that move to the
 * log leave the document: the number of node runs ensures that there was no write in between.
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

const shownFields = ({ lastNode, customData, modelUsage, tokenHash }: Progress): Fields => ({
  ...(lastNode === undefined ? {} : { lastNode }),
  ...(customData === undefined ? {} : { customData, customDataPairs: customDataPairsOf(customData) }),
  ...(modelUsage === undefined ? {} : { modelUsage }),
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
    set: {
      checkpoint: before + 1,
      ...set,
      ...shownFields(progress),
      ...engine.set,
      ...(progress.failedRun === undefined ? {} : { failedRun: progress.failedRun }),
      ...more,
    },
    remove: [...engine.remove, ...removes],
    inc,
    append,
  });
};

/** T5: checkpoint number `checkpoint`. */
export const checkpointWrite = (fence: number, checkpoint: number, progress: Progress): Write =>
  stepWrite('checkpoint', fence, checkpoint - 1, progress, { actedFence: fence });

/** The deadline of a run with the default one, once it waits; without a date it has none any more. */
export interface DeadlineRenewal {
  readonly deadlineAt?: Date;
}

/**
 * T8: pauses the execution after `before` checkpoints, and counts as one. A response is stored with it if there is
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
  // It paused voluntarily: whatever happened before, it does not endanger others.
  const more = {
    wait: waitsFor,
    crashes: 0,
    ...(waitsFor.tokenHash === undefined ? {} : { tokenHash: waitsFor.tokenHash, hasWaited: true }),
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

/** Time at which a released run may be claimed, and is published. */
const queuedFor = (now: number, delayMs: number): Fields =>
  delayMs === 0
    ? { publishAt: new Date(now + FIRST_PUBLISH_MS) }
    : { publishAt: new Date(now + delayMs), notBefore: new Date(now + delayMs) };

/** T10: back into the queue, at once or after a delay, after `before` checkpoints; counts as one. */
export const releaseWrite = (fence: number, before: number, progress: Progress, now: Date, delayMs = 0): Write =>
  stepWrite('release', fence, before, progress, queuedFor(now.getTime(), delayMs));

/**
 * Back into the queue without progress, since the claim has no response now; only if no later attempt of the claim has
 * taken it over.
 */
export const unclaimWrite = (fence: number, attempt: number, notBefore: Date): Write =>
  fencedWrite('unclaim', fence, { where: { 'lease.attempt': attempt }, set: { publishAt: notBefore, notBefore } });

/** Reserves room for an upload, if there is enough. */
export const uploadWrite = (fence: number, bytes: number): Write =>
  fencedWrite('upload', fence, {
    where: { uploadedBytes: atMost(MAX_UPLOADED_BYTES - bytes) },
    set: { actedFence: fence },
    inc: { uploadedBytes: bytes },
  });

/** Stores a response if there is none, and the hash of the token that it may publish. */
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
  /** For failed runs: node runs, from the first, that the engine state builds on. */
  readonly engineStateRuns?: number;
  /** For successful runs: the record is hidden at once, and deleted. */
  readonly discard?: boolean;
  /** For sub-workflows that succeeded: as in `ExecutionRecord`. */
  readonly resultOrigins?: Buffer;
  /** For successful runs: a stored failure that was found not to end the run. */
  readonly pastFailure?: number;
}

/** Retention of the record. `isDefault`: only if its workflow sets none. */
export interface Retention {
  readonly ms: number;
  readonly isDefault: boolean;
}

/** Retention of a record, once the setting of its workflow is known. */
export const retentionOf = ({ retentionMs }: Pick<ExecutionRecord, 'retentionMs'>, defaultMs: number): number =>
  retentionMs ?? defaultMs;

/** A run does not succeed past a stored failure, unless that was found not to end it. */
const pastFailure = ({ pastFailure }: Pick<RunEnd, 'pastFailure'>): Conditions =>
  pastFailure === undefined ? { failedRun: absent } : { 'failedRun.executionIndex': pastFailure };

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
      ...(end.error === undefined ? pastFailure(end) : {}),
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
    remove: [...engine.remove, 'failedRun'],
    inc,
    append,
    setElements: ending.setElements,
  });
};

const ARMED: Readonly<Record<'success' | 'error' | 'cancelled', readonly HookTrigger[]>> = {
  success: ['end', 'success'],
  error: ['end', 'error', 'stop'],
  cancelled: ['end', 'stop'],
};

/** Fields that an end sets, and the completion hooks it arms. `retentionMs` 0: kept forever. */
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
