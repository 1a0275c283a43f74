import type { ExecutionError } from '@weft/proto/executions';
export type { ExecutionError } from '@weft/proto/executions';
import type { ExecutionState, ExecutionStatus } from './execution-state';

/** Cause of the start of an execution. */
export type ExecutionMode = 'manual' | 'trigger' | 'webhook' | 'integrated' | 'error' | 'retry';

/** Policy for a run whose runner crashed: continue from its last checkpoint, restart, or end it. */
export type CrashPolicy = 'resume' | 'restart' | 'fail';

/**
 * HTTP response of a run. A body above the inline limit is a chunk; a file of the run is referenced by its binary
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
  /** The concatenated records; absent when each is a separate chunk. */
  readonly bytes?: Buffer;
  /** Bytes of the packed records before compression. */
  readonly rawBytes: number;
  /** Bytes of all records, including separate chunks. */
  readonly totalBytes: number;
  readonly count: number;
  /** The manifest of these runs, as node-runs.ts writes it. */
  readonly runs: string;
}

/** Link of a retry to the original execution. */
export interface Retry {
  /** The original execution. */
  readonly of: string;
  /** Cause of the original, or of the first of a chain of retries: nodes behave accordingly. */
  readonly mode: ExecutionMode;
  /** It retries the run of an error workflow, or a descendant of one: its failure starts no other one. */
  readonly inError?: true;
}

/** A valid segment of the log of an execution: its position there is its position in this array. */
export interface LoggedSegment {
  /** `<fence>.<hash of its content>`: segments of other claims at the same position have other references. */
  readonly reference: string;
  /** Node runs in it. */
  readonly count: number;
}

/** Ends that a completion hook applies to. `stop`: every end but success. */
export type HookTrigger = 'end' | 'success' | 'error' | 'stop';

/** A completion hook. Planned at the start, armed with a due time by the write that ends the run. */
export interface CompletionHook {
  readonly kind:
    | 'release-slot'
    | 'start-error-workflow'
    | 'resume-parent'
    | 'cancel-children'
    | 'record-retry-success'
    | 'notify'
    | 'expire-record';
  readonly when: HookTrigger;
  /** The workflow, the parent, the original execution or the subscription; empty for hooks on the execution. */
  readonly target: string;
  readonly due?: Date;
  readonly tries?: number;
}

/** A call of a tool that a person must approve. */
export interface CallToApprove {
  /** The tool node, and its function that the model called. */
  readonly node: string;
  readonly tool: string;
  /** JSON object of its arguments; absent: too large to show. */
  readonly input?: string;
  readonly requestedAt: Date;
}

/** Event that a waiting execution waits for. */
export interface PendingWait {
  /** Time at which the sweeper checks it next. */
  readonly checkAt?: Date;
  /** Time at which it continues without an event. */
  readonly resumeAt?: Date;
  /** Hexadecimal SHA-256 of the token that wakes it. */
  readonly tokenHash?: string;
  /** With a token: the callers that may wake it, as an encoded WaitSettings message. */
  readonly settings?: Buffer;
  /** Set if the end of the time begins a separate response, as a caller does. */
  readonly opensResponse?: boolean;
  /** The child whose end wakes it. */
  readonly childId?: string;
  /** The call whose approval or rejection wakes it. */
  readonly approval?: CallToApprove;
}

/** Maximum number of executions with its key that may run, or wait. */
export interface RunConcurrency {
  /** As set in the workflow, not evaluated. */
  readonly key: string;
  readonly limit: number;
  readonly whenFull: 'queue' | 'skip' | 'cancel-oldest';
  /** Of the evaluated key; absent until a runner has requested a slot. */
  readonly slotId?: string;
}

/** The parent execution. */
export interface Parent {
  readonly executionId: string;
  /** 1 for a child of an execution without a parent. */
  readonly depth: number;
  /** The root of the call chain: executions with the same root may share files. */
  readonly rootId: string;
  /** The caller does not wait for it, and the end of the caller does not affect it. */
  readonly detached?: true;
  /** An ancestor is the run of an error workflow: its failure starts no other one. */
  readonly inError?: true;
}

/** The claim by which a runner holds an execution. */
export interface Lease {
  readonly runnerId: string;
  readonly until: Date;
  /** Attempt of the claim that wrote it. */
  readonly attempt: number;
  /** The runner executes nothing else meanwhile. */
  readonly alone: boolean;
  /** The run waits for a response or a timer, and uses nothing else of its process before another renewal. */
  readonly waits?: boolean;
  /** Duration in milliseconds, until its first renewal. Absent: that of the instance. */
  readonly ms?: number;
  /** Progress of a followed run that is not stored yet: an encoded RunProgress message. */
  readonly progress?: Buffer;
  /** Unix milliseconds at which that was stored. */
  readonly progressAt?: number;
}

/** A run of some nodes only. */
export interface PartialOf {
  /** The last node; empty: everything behind the start runs. */
  readonly destinationNode: string;
  /** The execution whose output is used; empty: none. */
  readonly reuseFrom: string;
  /** Nodes whose runs are copies from there. */
  readonly reused: readonly string[];
}

/** A stored execution. Chunk references are `<fence>.<name>`. */
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
  /** Absent: all nodes that the start reaches run. */
  readonly partial?: PartialOf;
  /** Its last retry that succeeded. */
  readonly retrySuccessId?: string;
  readonly state: ExecutionState;
  readonly status: ExecutionStatus;
  readonly fence: number;
  readonly generation: number;
  readonly claimId?: string;
  readonly lease?: Lease;
  /** Fence of the last active claim, which renewed its lease or stored progress. */
  readonly actedFence?: number;
  /** Number of runners that crashed running it without progress. */
  readonly crashes: number;
  /** It may have crashed a runner: only a runner that executes nothing else may claim it. */
  readonly runsAlone?: boolean;
  /** Suspicion of having ended its processes, from ends of leases without progress (`lease-end.ts`). Absent: 0. */
  readonly suspicion?: number;
  /** Deaths of its process while it was isolated alone in it, without progress. Absent: 0. */
  readonly deathsAlone?: number;
  /** Node runs stored when its last lease ended: more than that is progress. */
  readonly runsAtCrash: number;
  readonly crashPolicy: CrashPolicy;
  readonly publishAt?: Date;
  /** Number of times it was republished since it was queued. */
  readonly republished?: number;
  readonly notBefore?: Date;
  readonly checkpoint: number;
  readonly engineState?: Buffer;
  readonly engineStateChunk?: string;
  /** Version of the engine state, for runners that support it. Absent: there is none, or it is 1. */
  readonly engineStateVersion?: number;
  /** Node runs, from the first, that the engine state builds on; set by a failed end. Absent: all. */
  readonly engineStateRuns?: number;
  readonly concurrency?: RunConcurrency;
  /** Queued, but not claimable before it holds this slot. */
  readonly waitsForSlotId?: string;
  readonly input?: Buffer;
  /** Size of the input, inline or not. Absent: it has none. */
  readonly inputBytes?: number;
  readonly inputChunk?: string;
  /** Node runs in separate segments, before those of the manifest. Absent: none. */
  readonly log?: readonly LoggedSegment[];
  /** The last node runs, until they are too large for the document. */
  readonly manifest: readonly Segment[];
  readonly nodeRunCount: number;
  /** Node runs that restarts after crashes dropped: sequence numbers of events continue after them. Absent: 0. */
  readonly lostNodeRuns?: number;
  readonly dataBytes: number;
  /** Size of the manifest. */
  readonly inlineBytes: number;
  /** Bytes that its runners uploaded, whether or not a node run references them. */
  readonly uploadedBytes: number;
  readonly lastNode?: string;
  /** Set by a checkpoint whose last node run failed. It counts while no later node run is stored. */
  readonly failedRun?: { readonly node: string; readonly executionIndex: number };
  /** For sub-workflows: the origins of the result items (`result-origins.ts`). Absent: not known. */
  readonly resultOrigins?: Buffer;
  /** The response for the current caller. */
  readonly response?: StoredResponse;
  /**
   * Number of times a caller woke it by its token. Its starter has number 0; each caller gets a separate response.
   * Absent: 0.
   */
  readonly responseSeq?: number;
  /** The previous response, which its caller may not have read yet. */
  readonly lastResponse?: StoredResponse;
  readonly postRunActions: readonly CompletionHook[];
  /** Id of the request that started it, as in the logs. */
  readonly requestId?: string;
  /** The W3C traceparent of the call that started it. */
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  readonly requestHash?: string;
  /** Unique among executions that have not ended; removed at the end. */
  readonly exclusiveKey?: string;
  readonly wait?: PendingWait;
  /**
   * Of the token that it published or waited for; never removed, so that calls that come too early or too late get a
   * specific response.
   */
  readonly tokenHash?: string;
  /** It waits for its token, or has done so before. */
  readonly hasWaited?: boolean;
  /** The event that ended its wait, as JSON. */
  readonly resume?: Buffer;
  readonly createdAt: Date;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  readonly deadlineAt?: Date;
  /** The deadline is the default of the instance, which waiting time does not count against. */
  readonly deadlineRenews?: true;
  /** Retention after its end set by its workflow, in milliseconds; 0: forever; absent: the default of the instance. */
  readonly retentionMs?: number;
  /** Time at which it is deleted, with all its data. */
  readonly expireAt?: Date;
  /** It was deleted, but completion hooks are pending: it is hidden from every caller. */
  readonly deletedAt?: Date;
  readonly error?: ExecutionError;
  /** Custom metadata for searching: JSON object of strings. */
  readonly customData?: string;
  /** The same as `name:value`, for the index. */
  readonly customDataPairs?: readonly string[];
  /** Calls and tokens of models; absent: it called none. */
  readonly modelUsage?: ModelUsage;
  /** Id of the batch of writes that changed it last. */
  readonly batchId?: string;
}

/** Calls and tokens of models in all attempts of an execution. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** Absent: no prices are known. */
  readonly cost?: number;
  /** Models that were called and have no price. */
  readonly unpricedModels?: readonly string[];
}

/** The fields that identify the holder and the owner of an execution. */
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

/** The public fields of an execution. A list reads only these: the others may be a thousand times larger. */
export const SHOWN_FIELDS = [
  '_id',
  'workflowId',
  'versionId',
  'ownerId',
  'mode',
  'state',
  'status',
  'createdAt',
  'startedAt',
  'finishedAt',
  'lastNode',
  'error',
  'crashes',
  'nodeRunCount',
  'customData',
  'modelUsage',
  'parent',
  'retry',
  'retrySuccessId',
  'partial',
  'usePinData',
] as const satisfies readonly (keyof ExecutionRecord)[];

/** The public part of an execution, without its data. */
export type ShownExecution = Pick<ExecutionRecord, (typeof SHOWN_FIELDS)[number]>;

/** Paths of the fields that one execution shows, and lists do not. */
export const SINGLE_FIELDS = [
  ...SHOWN_FIELDS,
  'generation',
  'wait.approval',
  'wait.resumeAt',
  'wait.settings',
] as const;

/** The public part of one execution. */
export interface SingleExecution extends ShownExecution {
  readonly generation?: number;
  readonly wait?: Pick<PendingWait, 'approval' | 'resumeAt' | 'settings'>;
}

/** Fields of an ended execution that completion hooks need: with those that lists show, for notifications. */
export type EndedExecution = ShownExecution & Pick<ExecutionRecord, 'postRunActions' | 'concurrency' | 'deletedAt'>;

/** Size of the input and the results of a run, as far as they are stored in its document. */
export const dataBytesOf = ({ input, inlineBytes, engineState, response }: ExecutionRecord): number =>
  (input?.length ?? 0) + inlineBytes + (engineState?.length ?? 0) + (response?.body?.length ?? 0);
