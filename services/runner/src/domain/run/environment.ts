import type { NodePorts, PreparedWorkflow, RunDeps, RunThread } from '@weft/engine';
import type { ClaimedExecution } from '../claims/claimed-execution';
import type { ExecutionStore } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import type { Outside, Reach } from '../claims/shares/reach';
import type { MemoryBudget, RunAccount } from '../memory/memory-budget';
import type { Barrier } from '../end/barrier';
import type { InProcessWaits } from './in-process-waits';

/** Node ports that belong to one run. */
export type RunPorts = Pick<NodePorts, 'respond' | 'startChild'>;

/** Access of a run to services and the network. */
export interface RunWays {
  readonly reach: Reach;
  readonly outside: Outside;
  readonly memory: RunAccount;
  readonly barrier: Barrier;
  readonly whileWaiting: Held['whileWaiting'];
  /** Called when something has responded to the run, which has the thread again. */
  readonly onResponse: () => void;
}

/** A run that shares the thread of its process. */
export interface ThreadUse {
  readonly executionId: string;
  readonly versionId: string;
  readonly ownerKey: string;
  readonly workflowId: string;
  /** Fires when the run must leave the thread permanently. */
  readonly signal: AbortSignal;
  /** Called when the runs of this owner have used too much thread time: this one should move to another process. */
  readonly onTooLong: () => void;
  /** Called when the run has used the thread. */
  readonly onActive: () => void;
}

/** Dependencies of a run that its process provides. */
export interface RunEnvironment {
  /** Reports every node run: its kind, if in the catalogue, and its duration in milliseconds. */
  readonly onNodeRun?: (kind: string | undefined, status: 'success' | 'error', ms: number) => void;
  readonly store: ExecutionStore;
  /** Whether the execution is known to be durable. Absent: it was before it ran. */
  readonly isStored?: () => boolean;
  /**
   * Dependencies of the nodes of this run.
   * @throws ServiceError if a service is unavailable or the claim is lost.
   */
  readonly deps: (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow,
    ports: RunPorts,
    ways: RunWays,
  ) => Promise<RunDeps>;
  /** Schedules a run on the shared thread. */
  readonly openThread: (use: ThreadUse) => RunThread;
  /** Milliseconds for which calls to unavailable services are repeated before a run is released. */
  readonly releaseAfterMs: number;
  readonly isDraining: () => boolean;
  readonly memory: MemoryBudget;
  /** Short waits of runs in this process. */
  readonly inProcessWaits: InProcessWaits;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}
