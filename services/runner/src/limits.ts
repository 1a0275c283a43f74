import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/** Shares of the heap that one run may use, and above which no new work is accepted. */
const RUN_PART = 0.5;
const PROCESS_PART = 0.6;

/** Limits of a process that executes runs. Bytes are estimated from the data of runs. */
export interface RunnerLimits {
  /** Maximum bytes of one run; above it the run ends with an error. */
  readonly runBytes: number;
  /** Bytes of all runs above which the process stops claiming and releases its largest run. */
  readonly processBytes: number;
  /**
   * Bytes of a response or of the items of a node from which its owner counts as one with large data: for ten minutes
   * the runs of such owners are executed in a separate process with a low priority.
   */
  readonly largeBytes: number;
  /** Waits held in the process in addition to running executions; further ones pause in the store. */
  readonly inProcessWaits: number;
  /** Milliseconds for which a run retries calls to an unavailable service before it returns to the queue. */
  readonly releaseAfterMs: number;
}

/** The limits of this process. */
export const limitsOfProcess = (): RunnerLimits => {
  const heapBytes = getHeapStatistics().heap_size_limit;
  return {
    runBytes: heapBytes * RUN_PART,
    processBytes: heapBytes * PROCESS_PART,
    largeBytes: 8 * MIB,
    inProcessWaits: 256,
    releaseAfterMs: 20_000,
  };
};
