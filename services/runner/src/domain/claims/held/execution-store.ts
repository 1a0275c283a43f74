import type { ExecutionError, FirstResult, HttpResponse, ModelUsage } from '@weft/engine';
import type { WaitSettings } from '@weft/proto/channels';
import type { CallToApprove } from '@weft/proto/runner';
import type { LiveProgress } from './live-run';
import type { ClaimedExecution, StoredNodeRun, WriteOutcome, WorkflowVersion } from '../claimed-execution';

/** The claim of a write. */
export interface Fenced {
  readonly executionId: string;
  readonly fence: number;
}

/** Result of a call that claims queued executions. */
export interface ClaimOutcome {
  readonly claimed: readonly ClaimedExecution[];
  /** Definitions that the runner did not list as known. */
  readonly versions: readonly WorkflowVersion[];
  readonly leaseMs: number;
  /**
   * Duration of the lease until its first renewal, if different. The executions are not durable then: their runs have
   * no side effects before `persist`, or another write, is accepted.
   */
  readonly firstLeaseMs?: number;
  /** Other ids that are queued and must be claimed in isolation. */
  readonly isolatedIds: readonly string[];
  /** Other ids whose state has a version unknown to this runner: they are left to another one. */
  readonly unreadableIds: readonly string[];
}

/** Parameters of a claim of offers. */
export interface ClaimOfferedParams {
  readonly claimId: string;
  /** Number of earlier attempts. */
  readonly attempt: number;
  /** Maximum number of executions. */
  readonly most: number;
  readonly waitMs: number;
  readonly knownVersionIds: readonly string[];
}

/** Result of a claim of offers. */
export interface OfferedOutcome {
  readonly outcome: ClaimOutcome;
  /** Milliseconds that it had waited when it claimed: no lease in it began earlier. */
  readonly waitedMs: number;
}

/**
 * Waits until a replica offers executions, and claims them. Undefined: it offered none. Repeated with the same claim id
 * and the next attempt, it returns at once what was claimed.
 * @throws ServiceError
 */
export type ClaimOffered = (params: ClaimOfferedParams) => Promise<OfferedOutcome | undefined>;

/** A claim and the number of its attempt. */
export interface ClaimStamp {
  readonly claimId: string;
  /** Number of earlier attempts. */
  readonly attempt: number;
  /** This process executes nothing else meanwhile. */
  readonly isolated: boolean;
}

/** Progress of a run: its work since the last checkpoint, and its state. */
export interface Progress extends Fenced {
  /** Number of this checkpoint or, when the run pauses, of earlier checkpoints. */
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly engineState: Uint8Array;
  /** JSON object of strings recorded by the run; absent: unchanged. */
  readonly customDataJson?: string;
  /** Calls and tokens of models in all attempts so far; absent: unchanged. */
  readonly modelUsage?: ModelUsage;
  /** Hexadecimal SHA-256 of the token that the run waits for or has published. */
  readonly resumeTokenHash?: string;
}

/** Reason of a failure that no node caused. */
export type FailureReason = 'RUN_DATA_TOO_LARGE' | 'RUN_DATA_UNREADABLE' | 'RUN_MEMORY_EXCEEDED' | 'RESULT_REFUSED';

/** Tokens of models that the owner of an execution has used today. */
export interface CountedTokens {
  /** False: they would exceed the limit, and are not counted. */
  readonly counted: boolean;
  readonly used: number;
  /** When the next day begins. */
  readonly resetAt: Date;
}

/** The end of a run. */
export interface RunEnd extends Fenced {
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly lastNode: string;
  /** As in Progress. */
  readonly customDataJson?: string;
  /** As in Progress. */
  readonly modelUsage?: ModelUsage;
  /** Absent if it succeeded. */
  readonly error?: ExecutionError;
  /** Reason of a failure that no node caused: a row of docs/errors.md. */
  readonly failureReason?: FailureReason;
  readonly response?: HttpResponse;
  /** Start of a retry: the state before the failed node, and how many node runs, from the first, it builds on. */
  readonly retryFrom?: { readonly engineState: Uint8Array; readonly nodeRuns: number };
  /** For successful runs: the record is not needed. */
  readonly discard?: true;
  /** For sub-workflows that succeeded: the origin of each result item, -1 if unknown. */
  readonly resultOrigins?: readonly number[];
}

/** A run that pauses. */
export interface RunPause extends Progress {
  readonly lastNode: string;
  readonly resumeAt?: Date;
  readonly childExecutionId?: string;
  /** The call of a tool that a person must approve. */
  readonly approval?: CallToApprove;
  /** With a token: the callers that may wake the run, and how their requests are handled. */
  readonly resumeSettings?: WaitSettings;
  /** For a caller that still waits; ignored if a response was given before. */
  readonly response?: HttpResponse;
}

/** A run that returns to the queue. */
export interface RunRelease extends Progress {
  /** Milliseconds before it can be claimed again; absent: at once. */
  readonly delayMs?: number;
}

/** A sub-workflow that a run calls. */
export interface ChildCall {
  readonly node: string;
  readonly run: number;
  readonly item: number;
  /** Number of earlier tries of the node in this run. */
  readonly attempt: number;
  /** Absent if the definition comes with the call. */
  readonly workflowId?: string;
  /** Definition of the called workflow, as JSON. */
  readonly definition?: Uint8Array;
  /** Array of items, as JSON. */
  readonly input: Uint8Array;
  /** The caller does not wait for it. */
  readonly detached: boolean;
  /** The child of an earlier call: if it was deleted, nothing is started. */
  readonly childExecutionId?: string;
  readonly knownVersionIds: readonly string[];
}

/** Status of a child: it has ended, this runner has claimed it, or another one has or will. */
export type ChildAnswer =
  | {
      readonly kind: 'ended';
      readonly executionId: string;
      /** Why it failed. */ readonly error?: { readonly message: string; readonly name?: string };
      /** Array of items, as JSON. */ readonly itemsJson: Uint8Array;
    }
  | {
      readonly kind: 'claimed';
      readonly executionId: string;
      readonly claimed: ClaimedExecution;
      readonly version?: WorkflowVersion;
    }
  | { readonly kind: 'claimedByOther'; readonly executionId: string }
  /** The queue is full; nothing was started. */
  | { readonly kind: 'later'; readonly at: Date };

/** A claim to be renewed. */
export interface HeartbeatClaim extends Fenced {
  /** Other runs are about to share the process. */
  readonly isShared: boolean;
  /** The run waits for a response or a timer. */
  readonly isWaiting: boolean;
  /** For followed runs: what is not stored yet. */
  readonly progress?: LiveProgress;
}

/** Response to a heartbeat about a claim. `unknown`: none, ask again. */
export type HeartbeatOutcome = 'held' | 'lost' | 'cancelled' | 'unknown';

/**
 * The runner's client of the executions service. Every write may be repeated. Methods reject with a ServiceError: a
 * refusal of this call, or an error of another kind if there was no response.
 */
export interface ExecutionStore {
  /**
   * Claims queued executions among the given ids. Repeated with the same claim id and the next attempt, it returns the
   * same ones.
   */
  readonly claim: (
    ids: readonly string[],
    stamp: ClaimStamp,
    knownVersionIds: readonly string[],
  ) => Promise<ClaimOutcome>;
  readonly heartbeat: (claims: readonly HeartbeatClaim[]) => Promise<readonly HeartbeatOutcome[]>;
  /** Makes an execution durable before its run has side effects. */
  readonly persist: (claim: Fenced) => Promise<WriteOutcome>;
  readonly checkpoint: (progress: Progress) => Promise<WriteOutcome>;
  readonly report: (end: RunEnd) => Promise<WriteOutcome>;
  readonly release: (release: RunRelease) => Promise<WriteOutcome>;
  readonly pause: (pause: RunPause) => Promise<WriteOutcome>;
  /** True if it was the first response. */
  readonly respond: (claim: Fenced, answer: HttpResponse, tokenHash?: string) => Promise<WriteOutcome>;
  /** Starts a child, or finds the one that the same call started before. */
  readonly startChild: (caller: Fenced, call: ChildCall) => Promise<ChildAnswer>;
  /** Acquires a slot of an evaluated concurrency key. False: none is free, and the claim has ended. */
  readonly acquireSlot: (claim: Fenced, key: string) => Promise<boolean>;
  /**
   * Counts tokens of models for the owner of the execution, in the present day. Repeating it counts again.
   * @param limit tokens that the owner may use in a day; absent: they are counted in any case
   */
  readonly countModelTokens: (claim: Fenced, tokens: number, limit?: number) => Promise<CountedTokens>;
  /** Outcome of the first node run of another execution of the same workflow. */
  readonly findFirstResult: (claim: Fenced, otherId: string) => Promise<FirstResult>;
  /** A large piece of data of an execution. */
  readonly readChunk: (claim: Fenced, chunkId: string) => Promise<Uint8Array>;
  /** Stored node runs in order. */
  readonly readNodeRuns: (claim: Fenced) => Promise<readonly StoredNodeRun[]>;
}

/** Ends a run with a specific reason: an error neither of a node nor of the engine. */
export class RunError extends Error {
  constructor(
    /** A row of docs/errors.md. */
    readonly reason: FailureReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RunError';
  }
}
