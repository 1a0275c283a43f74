import type { ClaimedExecution, StoredNodeRun, Verdict, WorkflowVersion } from './claimed-execution';
import type { ErrorRecord } from './engine/run-record';
import type { HttpAnswer } from './engine/ports';

/** One claim in a write. */
export interface Fenced {
  readonly executionId: string;
  readonly fence: number;
}

/** What a call that takes queued executions gave. */
export interface ClaimOutcome {
  readonly claimed: readonly ClaimedExecution[];
  /** Definitions that the runner had not named as known. */
  readonly versions: readonly WorkflowVersion[];
  readonly leaseMs: number;
}

/** Progress of a run: what it did since the last checkpoint, and where it stands. */
export interface Progress extends Fenced {
  /** Number of this checkpoint, or, when the run pauses, of checkpoints before. */
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly engineState: Uint8Array;
}

/** The end of a run. */
export interface RunEnd extends Fenced {
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly lastNode: string;
  /** Absent if it succeeded. */
  readonly failure?: ErrorRecord;
  readonly answer?: HttpAnswer;
}

/** A run that pauses. */
export interface RunPause extends Progress {
  readonly lastNode: string;
  readonly resumeAt?: Date;
  /** SHA-256 of the token that wakes it, in hexadecimal. */
  readonly resumeTokenHash?: string;
  readonly childExecutionId?: string;
}

/** What a heartbeat tells about a claim. */
export type HeartbeatVerdict = 'held' | 'lost' | 'cancelled';

/** The executions service, as the runner uses it. Every write may be repeated. */
export interface ExecutionStore {
  /** Takes queued executions among the given ids. Repeated with the same claim id it gives the same. */
  readonly claim: (ids: readonly string[], claimId: string, knownVersionIds: readonly string[]) => Promise<ClaimOutcome>;
  readonly heartbeat: (claims: readonly Fenced[]) => Promise<readonly HeartbeatVerdict[]>;
  readonly checkpoint: (progress: Progress) => Promise<Verdict>;
  readonly report: (end: RunEnd) => Promise<Verdict>;
  readonly handBack: (progress: Progress) => Promise<Verdict>;
  readonly pause: (pause: RunPause) => Promise<Verdict>;
  /** True if it was the first answer. */
  readonly respond: (claim: Fenced, answer: HttpAnswer) => Promise<Verdict>;
  /** Node runs stored so far, in order. */
  readonly readNodeRuns: (claim: Fenced) => Promise<readonly StoredNodeRun[]>;
}
