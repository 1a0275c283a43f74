import type { ExecutionError, FirstResult, HttpResponse } from '@weft/engine';
import type { WaitSettings } from '@weft/proto/channels';
import type { ClaimedExecution, StoredNodeRun, WriteOutcome, WorkflowVersion } from './claimed-execution';

/** One claim in a write. */
export interface Fenced {
  readonly executionId: string;
  readonly fence: number;
}

/** Result of a call that takes queued executions. */
export interface ClaimOutcome {
  readonly claimed: readonly ClaimedExecution[];
  /** Definitions that the runner had not named as known. */
  readonly versions: readonly WorkflowVersion[];
  readonly leaseMs: number;
  /**
   * Duration of the lease until its first renewal, if it is another one. The executions are not durable then: their
   * runs do nothing outside before `persist`, or another write, is accepted.
   */
  readonly firstLeaseMs?: number;
  /** Those of the others that are queued and must be claimed alone. */
  readonly aloneIds: readonly string[];
  /** Those of the others whose state has a version that this runner does not know: another one is to have them. */
  readonly unreadableIds: readonly string[];
}

/** What a claim of offers asks for. */
export interface ClaimOfferedParams {
  readonly claimId: string;
  /** Number of times it was sent before. */
  readonly attempt: number;
  /** Executions that are taken at most. */
  readonly most: number;
  readonly waitMs: number;
  readonly knownVersionIds: readonly string[];
}

/** Result of a claim of offers. */
export interface OfferedOutcome {
  readonly outcome: ClaimOutcome;
  /** Milliseconds for which it had waited when it claimed: no lease in it is older. */
  readonly waitedMs: number;
}

/**
 * Waits until a replica offers executions, and claims them. Undefined: it offered none. Repeated with the same claim
 * id, and the next attempt, it waits for nothing and gives what was won.
 * @throws ServiceError
 */
export type ClaimOffered = (params: ClaimOfferedParams) => Promise<OfferedOutcome | undefined>;

/** One claim, and which sending of it this is. */
export interface ClaimStamp {
  readonly claimId: string;
  /** Number of times it was sent before. */
  readonly attempt: number;
  /** This process executes nothing beside what it wins. */
  readonly alone: boolean;
}

/** Progress of a run: its work since the last checkpoint, and its state. */
export interface Progress extends Fenced {
  /** Number of this checkpoint, or, when the run pauses, of checkpoints before. */
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly engineState: Uint8Array;
  /** JSON object of texts that the run has recorded; absent: what is stored stays. */
  readonly customDataJson?: string;
  /** SHA-256 of the token that wakes it when it pauses for that, or that it has given out, in hexadecimal. */
  readonly resumeTokenHash?: string;
}

/** Reason of the failure of a run that no node has failed. */
export type FailureReason = 'RUN_DATA_TOO_LARGE' | 'RUN_DATA_UNREADABLE' | 'RUN_MEMORY_EXCEEDED' | 'RESULT_REFUSED';

/** The end of a run. */
export interface RunEnd extends Fenced {
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly lastNode: string;
  /** As in Progress. */
  readonly customDataJson?: string;
  /** Absent if it succeeded. */
  readonly error?: ExecutionError;
  /** Why the run failed, if not for a node: a row of docs/errors.md. */
  readonly failureReason?: FailureReason;
  readonly response?: HttpResponse;
  /**
   * Start of a retry: the state in which the failed node would run again, and how many node runs, from the first,
   * it builds on.
   */
  readonly retryFrom?: { readonly engineState: Uint8Array; readonly nodeRuns: number };
  /** Of a success: nobody needs its record. */
  readonly discard?: true;
  /** Of a sub-workflow that succeeded: for each item of its result its origin, -1 if nothing says. */
  readonly resultOrigins?: readonly number[];
}

/** A run that pauses. */
export interface RunPause extends Progress {
  readonly lastNode: string;
  readonly resumeAt?: Date;
  readonly childExecutionId?: string;
  /** With a token: the callers that may wake the run, and the way they are received. */
  readonly resumeSettings?: WaitSettings;
  /** For a caller who still waits; counts if none was given before. */
  readonly response?: HttpResponse;
}

/** A run that goes back into the queue. */
export interface RunRelease extends Progress {
  /** Milliseconds before which no runner is to claim it; absent: at once. */
  readonly delayMs?: number;
}

/** A sub-workflow that a run calls. */
export interface ChildCall {
  readonly node: string;
  readonly run: number;
  readonly item: number;
  /** Number of times the node was tried before in this run. */
  readonly attempt: number;
  /** Absent if the definition comes with the call. */
  readonly workflowId?: string;
  /** JSON text of the called workflow. */
  readonly definition?: Uint8Array;
  /** JSON text: a list of items. */
  readonly input: Uint8Array;
  /** The caller does not wait for it. */
  readonly detached: boolean;
  /** The child of an earlier call: nothing is started if it is gone. */
  readonly childExecutionId?: string;
  readonly knownVersionIds: readonly string[];
}

/** Location of a child: it has ended, this runner has it, or another one has it or will. */
export type ChildAnswer =
  | {
      readonly kind: 'ended';
      readonly executionId: string;
      /** Reason for which it did not succeed. */ readonly error?: { readonly message: string; readonly name?: string };
      /** JSON text: a list of items. */ readonly itemsJson: Uint8Array;
    }
  | {
      readonly kind: 'claimed';
      readonly executionId: string;
      readonly claimed: ClaimedExecution;
      readonly version?: WorkflowVersion;
    }
  | { readonly kind: 'claimedByOther'; readonly executionId: string }
  /** The queue has no room for it now; nothing was started. */
  | { readonly kind: 'later'; readonly at: Date };

/** Answer of a heartbeat about a claim. `unknown`: none, ask again. */
export type HeartbeatOutcome = 'held' | 'lost' | 'cancelled' | 'unknown';

/**
 * The executions service, as the runner uses it. Every write may be repeated. Methods reject with a ServiceError: a
 * refusal of this very call, or, of any other kind, no answer at all.
 */
export interface ExecutionStore {
  /**
   * Takes queued executions among the given ids. Repeated with the same claim id, and the next attempt, it gives the
   * same.
   */
  readonly claim: (
    ids: readonly string[],
    stamp: ClaimStamp,
    knownVersionIds: readonly string[],
  ) => Promise<ClaimOutcome>;
  readonly heartbeat: (
    claims: readonly (Fenced & { /** Others are about to run beside it. */ readonly isShared: boolean })[],
  ) => Promise<readonly HeartbeatOutcome[]>;
  /** Makes an execution durable before its run acts on the outside. */
  readonly persist: (claim: Fenced) => Promise<WriteOutcome>;
  readonly checkpoint: (progress: Progress) => Promise<WriteOutcome>;
  readonly report: (end: RunEnd) => Promise<WriteOutcome>;
  readonly release: (release: RunRelease) => Promise<WriteOutcome>;
  readonly pause: (pause: RunPause) => Promise<WriteOutcome>;
  /** True if it was the first answer. */
  readonly respond: (claim: Fenced, answer: HttpResponse, tokenHash?: string) => Promise<WriteOutcome>;
  /** Starts a child, or finds the one that the same call gave before. */
  readonly startChild: (caller: Fenced, call: ChildCall) => Promise<ChildAnswer>;
  /** Takes a place of an evaluated concurrency key. False: none is free, and the claim is over. */
  readonly acquireSlot: (claim: Fenced, key: string) => Promise<boolean>;
  /** What became of the first node run of another execution of the same workflow. */
  readonly findFirstResult: (claim: Fenced, otherId: string) => Promise<FirstResult>;
  /** A large piece of data of an execution. */
  readonly readChunk: (claim: Fenced, chunkId: string) => Promise<Uint8Array>;
  /** Node runs stored so far, in order. */
  readonly readNodeRuns: (claim: Fenced) => Promise<readonly StoredNodeRun[]>;
}

/** Ends a run as an error for a reason of its own: an error neither of a node nor of the engine. */
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
