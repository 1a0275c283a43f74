import type { NodePorts, PreparedWorkflow, RunDeps, RunThread } from '@weft/engine';
import type { ClaimedExecution } from '../claims/claimed-execution';
import type { ExecutionStore } from '../claims/execution-store';
import type { Outside, Reach } from '../claims/reach';
import type { MemoryBudget, RunAccount } from '../memory/memory-budget';
import type { Barrier } from '../settle/barrier';
import type { InProcessWaits } from './in-process-waits';

/** Ports of nodes that belong to one run. */
export type RunPorts = Pick<NodePorts, 'respond' | 'startChild'>;

/** Access of a run to services and the outside. */
export interface RunWays {
  readonly reach: Reach;
  readonly outside: Outside;
  readonly memory: RunAccount;
  readonly barrier: Barrier;
}

/** A run that shares the thread of its process. */
export interface ThreadUse {
  readonly ownerKey: string;
  readonly workflowId: string;
  /** Fires when the run is to give the thread up for good. */
  readonly signal: AbortSignal;
  /** Called when the runs of this owner had the thread for too long: this one should move to another process. */
  readonly onTooLong: () => void;
}

/** Dependencies of a run that its process provides. */
export interface RunEnvironment {
  /** Told of every node run: its kind, if the catalogue has it, and its time in milliseconds. */
  readonly onNodeRun?: (kind: string | undefined, status: 'success' | 'error', ms: number) => void;
  readonly store: ExecutionStore;
  /** True once the execution is known to be durable. Absent: it was before it ran. */
  readonly isStored?: () => boolean;
  /**
   * Dependencies of the nodes of this run.
   * @throws ServiceError if a service cannot answer now, or the claim is lost.
   */
  readonly deps: (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow,
    ports: RunPorts,
    ways: RunWays,
  ) => Promise<RunDeps>;
  /** Gives a run its turns at the thread. */
  readonly openThread: (use: ThreadUse) => RunThread;
  /** Milliseconds for which calls of services that cannot be reached are repeated before a run is released. */
  readonly releaseAfterMs: number;
  readonly isDraining: () => boolean;
  readonly memory: MemoryBudget;
  /** Lets runs wait here for a short while. */
  readonly inProcessWaits: InProcessWaits;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}
