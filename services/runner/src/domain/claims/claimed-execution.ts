import type { ExecutionMode } from '@weft/engine';

/** An execution that this runner holds a claim on. */
export interface ClaimedExecution {
  readonly executionId: string;
  /** Sent with every write; the service refuses older ones. */
  readonly fence: number;
  readonly workflowId: string;
  /** The user who owns the run; empty if the service does not provide it. */
  readonly ownerId: string;
  readonly versionId: string;
  readonly mode: ExecutionMode;
  /** For retries: the mode of the original run, which nodes use. */
  readonly retriedMode?: ExecutionMode;
  readonly startNode: string;
  /** Input as JSON; empty if there is none. */
  readonly input: Uint8Array;
  /** The chunk that holds the input instead; empty if none does. */
  readonly inputChunkId: string;
  readonly usePinData: boolean;
  /** Number of stored checkpoints. */
  readonly checkpoint: number;
  /** State of the engine at the last checkpoint; empty at the first start, unless it retries another run. */
  readonly engineState: Uint8Array;
  /** The chunk that holds the state instead; empty if none does. */
  readonly engineStateChunkId: string;
  /** The event that ended its wait, as JSON; empty if there was none. */
  readonly resume: Uint8Array;
  readonly startedAt: Date;
  /** A response for the caller is already stored. */
  readonly responded: boolean;
  /** Concurrency key as set in the workflow; empty: the workflow is the key. Absent: unlimited concurrency. */
  readonly concurrencyKey?: string;
  /** Number of runners that crashed running it without progress. */
  readonly crashes: number;
  /** It is already stored under this claim, although its lease is a first one. */
  readonly isStored?: true;
  /** The id of the request that started it, as in the logs. */
  readonly requestId?: string;
  /** The W3C traceparent of the call that started it. */
  readonly traceparent?: string;
}

/**
 * The key of its owner, which decides which runs share processes and quotas. Without a known owner it is the key of the
 * workflow.
 */
export const ownerKeyOf = ({ ownerId, workflowId }: Pick<ClaimedExecution, 'ownerId' | 'workflowId'>): string =>
  ownerId === '' ? `workflow ${workflowId}` : `owner ${ownerId}`;

/** A stored, immutable definition. */
export interface WorkflowVersion {
  readonly versionId: string;
  readonly workflowId: string;
  /** As JSON. */
  readonly definition: Uint8Array;
}

/** Outcome of a write. `fenced`: the claim is lost, drop the run. */
export type WriteOutcome = 'applied' | 'duplicate' | 'fenced';

/** Facts about a node run that the service shows without reading its record. */
export interface RunFacts {
  /** Unix time in milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Number of items of each output. */
  readonly outputItems: number[];
  /** Masked as in the record; empty if the node did not fail. */
  readonly errorMessage: string;
}

/** A node run to be stored by the service. */
export interface StoredNodeRun {
  readonly node: string;
  readonly run: number;
  readonly executionIndex: number;
  readonly failed: boolean;
  /** Absent for node runs of earlier claims. */
  readonly facts?: RunFacts | undefined;
  /** The run record as JSON. */
  readonly recordJson: Uint8Array;
}
