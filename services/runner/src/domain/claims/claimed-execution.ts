import type { ExecutionMode } from '@weft/engine';

/** An execution this runner holds a claim on. */
export interface ClaimedExecution {
  readonly executionId: string;
  /** Goes with every write; the service refuses an older one. */
  readonly fence: number;
  readonly workflowId: string;
  /** The user whose run it is; empty if the service does not say. */
  readonly ownerId: string;
  readonly versionId: string;
  readonly mode: ExecutionMode;
  /** Of a retry: the mode of the run that it repeats, which nodes go by. */
  readonly retriedMode?: ExecutionMode;
  readonly startNode: string;
  /** JSON text of the input; empty if there is none. */
  readonly input: Uint8Array;
  /** The chunk that holds the input instead; empty if none does. */
  readonly inputChunkId: string;
  readonly usePinData: boolean;
  /** Checkpoints stored so far. */
  readonly checkpoint: number;
  /** State of the engine at the last checkpoint; empty at the first start, unless another run left one to retry. */
  readonly engineState: Uint8Array;
  /** The chunk that holds the state instead; empty if none does. */
  readonly engineStateChunkId: string;
  /** Cause that woke it from waiting, JSON text; empty if none did. */
  readonly resume: Uint8Array;
  readonly startedAt: Date;
  /** An answer for the caller was stored already. */
  readonly responded: boolean;
  /**
   * Concurrency key as its workflow states it; empty: the workflow itself. Absent: any number of its runs may
   * run at once.
   */
  readonly concurrencyKey?: string;
  /** Number of times runners died over it without progress. */
  readonly crashes: number;
  /** The id of the request that started it, as the logs have it. */
  readonly requestId?: string;
  /** The W3C traceparent of the call that started it. */
  readonly traceparent?: string;
}

/**
 * The key of its owner, by which runs share processes, and are told apart where one may harm others. A run whose owner
 * is not known shares its workflow's.
 */
export const ownerKeyOf = ({ ownerId, workflowId }: Pick<ClaimedExecution, 'ownerId' | 'workflowId'>): string =>
  ownerId === '' ? `workflow ${workflowId}` : `owner ${ownerId}`;

/** An immutable definition, as it is stored. */
export interface WorkflowVersion {
  readonly versionId: string;
  readonly workflowId: string;
  /** JSON text. */
  readonly definition: Uint8Array;
}

/** Outcome of a write. `fenced`: the claim is lost, the run is to be dropped. */
export type WriteOutcome = 'applied' | 'duplicate' | 'fenced';

/** A node run on its way to the service. */
export interface StoredNodeRun {
  readonly node: string;
  readonly run: number;
  readonly executionIndex: number;
  readonly failed: boolean;
  /** The run record as JSON text. */
  readonly recordJson: Uint8Array;
}
