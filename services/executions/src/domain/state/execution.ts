import type { ExecutionError } from '@weft/proto/executions';
export type { ExecutionError } from '@weft/proto/executions';
import type { ExecutionState, ExecutionStatus } from './execution-state';

/** Cause of the start of an execution. */
export type ExecutionMode = 'manual' | 'trigger' | 'webhook' | 'integrated' | 'error' | 'retry';

/** Policy for a run whose runner died: continue from its last checkpoint, begin anew, or end it. */
export type CrashPolicy = 'resume' | 'restart' | 'fail';

/**
 * HTTP response of a run. A body above the inline bound lies in a chunk; a file of the run is named by its binary
 * reference.
 */
export interface StoredResponse {
  readonly statusCode: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body?: Buffer;
  readonly bodyChunk?: string;
  readonly fileId?: string;
}

/** Node runs that were stored together, packed. */
export interface Segment {
  readonly fence: number;
  readonly encoding: 'plain' | 'gzip' | 'zstd';
  /** The records, one after the other; absent when each lies in a chunk of its own. */
  readonly bytes?: Buffer;
  /** Bytes of the packed records before compression. */
  readonly rawBytes: number;
  /** Bytes of all records, also of those in chunks of their own. */
  readonly totalBytes: number;
  readonly count: number;
  /** The manifest of these runs, as node-runs.ts writes it. */
  readonly runs: string;
}

/** Link of a retry to the execution that it runs again. */
export interface Retry {
  /** The execution that it runs again. */
  readonly of: string;
  /** Cause of that one, or of the first of a chain of retries: nodes behave as then. */
  readonly mode: ExecutionMode;
  /** It retries the run of an error workflow, or one that such a run called: its failure starts no other one. */
  readonly inError?: true;
}

/** A segment of the log of an execution that counts: its position there is its position in this list. */
export interface LoggedSegment {
  /** `<fence>.<hash of its content>`: what another claim wrote at the same position has another one. */
  readonly reference: string;
  /** Node runs in it. */
  readonly count: number;
}

/** Ends that a post-run action belongs to. `stop`: every end but success. */
export type PostRunTrigger = 'end' | 'success' | 'error' | 'stop';

/**
 * Action that must happen after the end. Planned at the start, armed with a due time by the write that ends the run.
 */
export interface PostRunAction {
  readonly kind:
    | 'release-slot'
    | 'start-error-workflow'
    | 'resume-parent'
    | 'cancel-children'
    | 'record-retry-success'
    | 'expire-record';
  readonly when: PostRunTrigger;
  /** The workflow, the parent or the retried execution; empty for what is about the execution itself. */
  readonly target: string;
  readonly due?: Date;
  readonly tries?: number;
}

/** Event that a waiting execution waits for. */
export interface PendingWait {
  /** Time at which the sweeper checks it next. */
  readonly checkAt?: Date;
  /** Time at which it continues by itself. */
  readonly resumeAt?: Date;
  /** SHA-256 of the token that wakes it, in hexadecimal. */
  readonly tokenHash?: string;
  /** With a token: the callers that may wake it, as an encoded WaitSettings message. */
  readonly settings?: Buffer;
  /** The child whose end wakes it. */
  readonly childId?: string;
}

/** Number of executions with its key that may run or wait at once. */
export interface RunConcurrency {
  /** As the workflow states it, not evaluated. */
  readonly key: string;
  readonly limit: number;
  readonly whenFull: 'queue' | 'skip' | 'cancel-oldest';
  /** Of the evaluated key; absent until a runner has asked for a slot. */
  readonly slotId?: string;
}

/** The execution that called this one. */
export interface Parent {
  readonly executionId: string;
  /** 1 for a child of an execution without a caller. */
  readonly depth: number;
  /** The first caller of all: executions with the same one may share files. */
  readonly rootId: string;
  /** The caller does not wait for it, and its end does not matter to it. */
  readonly detached?: true;
  /** One of its callers is the run of an error workflow: its failure starts no other one. */
  readonly inError?: true;
}

/** The claim by which a runner holds an execution. */
export interface Lease {
  readonly runnerId: string;
  readonly until: Date;
  /** Number of the repetition of the claim that wrote it. */
  readonly attempt: number;
  /** The runner executes nothing else meanwhile. */
  readonly alone: boolean;
  /** Duration in milliseconds, until its first renewal. Absent: that of the instance. */
  readonly ms?: number;
}

/** An execution as it is stored. Chunk references are `<fence>.<name>`. */
export interface ExecutionRecord {
  readonly _id: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly mode: ExecutionMode;
  readonly startNode: string;
  readonly usePinData: boolean;
  readonly parent?: Parent;
  readonly retry?: Retry;
  /** The last retry of it that succeeded. */
  readonly retrySuccessId?: string;
  readonly state: ExecutionState;
  readonly status: ExecutionStatus;
  readonly fence: number;
  readonly generation: number;
  readonly claimId?: string;
  readonly lease?: Lease;
  /** Fence of the last claim that was active: it renewed its lease, or stored something on its way. */
  readonly actedFence?: number;
  /** Number of times runners died over it without progress. */
  readonly crashes: number;
  /** A runner died while it held it: only a runner that executes nothing beside it may have it. */
  readonly runsAlone?: boolean;
  /** Node runs stored when a runner last died over it: more than that now is progress. */
  readonly runsAtCrash: number;
  readonly crashPolicy: CrashPolicy;
  readonly publishAt?: Date;
  /** Number of times it was published again since it was queued. */
  readonly republished?: number;
  readonly notBefore?: Date;
  readonly checkpoint: number;
  readonly engineState?: Buffer;
  readonly engineStateChunk?: string;
  /** Version of the engine state, for runners that know it. Absent: there is none, or it is 1. */
  readonly engineStateVersion?: number;
  /** Node runs, from the first, that the engine state builds on; set by a failed end. Absent: all. */
  readonly engineStateRuns?: number;
  readonly concurrency?: RunConcurrency;
  /** Queued, but not claimable before it holds this slot. */
  readonly waitsForSlotId?: string;
  readonly input?: Buffer;
  /** Bytes of the input, wherever it lies. Absent: it has none. */
  readonly inputBytes?: number;
  readonly inputChunk?: string;
  /** Node runs that lie in segments of their own, before those of the manifest. Absent: none. */
  readonly log?: readonly LoggedSegment[];
  /** The last node runs, until they are too many bytes for the document. */
  readonly manifest: readonly Segment[];
  readonly nodeRunCount: number;
  readonly dataBytes: number;
  /** Bytes of the manifest. */
  readonly inlineBytes: number;
  /** Bytes that its runners uploaded, whether a node run names them or not. */
  readonly uploadedBytes: number;
  readonly lastNode?: string;
  /** Of a sub-workflow: the origins of the items of its result (`result-origins.ts`). Absent: not known. */
  readonly resultOrigins?: Buffer;
  /** The answer for the caller whose turn it is. */
  readonly response?: StoredResponse;
  /**
   * Number of times a caller woke it by its token. Its starter has turn 0; each has an answer of its own. Absent: 0.
   */
  readonly responseSeq?: number;
  /** The answer of the turn before, for its caller may not have read it yet. */
  readonly lastResponse?: StoredResponse;
  readonly postRunActions: readonly PostRunAction[];
  /** Of the request that started it, as the logs have it. */
  readonly requestId?: string;
  /** The W3C traceparent of the call that started it. */
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  readonly requestHash?: string;
  /** No two executions that have not ended have the same; gone with the end. */
  readonly exclusiveKey?: string;
  readonly wait?: PendingWait;
  /**
   * Of the token that it gave out, or that a wait of it named; never removed: calls that come too early or too late are
   * answered as such.
   */
  readonly tokenHash?: string;
  /** It has waited for its token before, or does. */
  readonly hasWaited?: boolean;
  /** Cause that woke it from waiting, as JSON. */
  readonly resume?: Buffer;
  readonly createdAt: Date;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  readonly deadlineAt?: Date;
  /** The deadline is the default of the instance: time in which it waits does not count. */
  readonly deadlineRenews?: true;
  /**
   * Retention after its end that its workflow sets, in milliseconds; 0: for ever; absent: the default of the
   * instance.
   */
  readonly retentionMs?: number;
  /** Time at which it is deleted, with all its data. */
  readonly expireAt?: Date;
  /** It was deleted, but something has still to happen after its end: it is hidden from every caller. */
  readonly deletedAt?: Date;
  readonly error?: ExecutionError;
  /** Custom data by which users find the run: JSON object of strings. */
  readonly customData?: string;
  /** Id of the batch of writes that changed it last. */
  readonly batchId?: string;
}

/** The fields that say who holds an execution and whose it is. */
export const HELD_FIELDS = [
  '_id',
  'workflowId',
  'versionId',
  'ownerId',
  'mode',
  'parent',
  'retry',
  'state',
  'fence',
  'checkpoint',
  'lease',
  'uploadedBytes',
  'createdAt',
  'requestId',
] as const satisfies readonly (keyof ExecutionRecord)[];

/** An execution without its run data, its input and its responses. */
export type HeldExecution = Pick<ExecutionRecord, (typeof HELD_FIELDS)[number]>;

/** Fields of an ended execution that post-run actions need. */
export type EndedExecution = Pick<
  ExecutionRecord,
  | '_id'
  | 'workflowId'
  | 'versionId'
  | 'ownerId'
  | 'mode'
  | 'postRunActions'
  | 'error'
  | 'lastNode'
  | 'retry'
  | 'concurrency'
>;

/** Bytes of what a run is given and has made, as far as it lies in its document. */
export const dataBytesOf = ({ input, inlineBytes, engineState, response }: ExecutionRecord): number =>
  (input?.length ?? 0) + inlineBytes + (engineState?.length ?? 0) + (response?.body?.length ?? 0);
