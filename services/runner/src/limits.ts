import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/** Parts of the heap that one run may hold, and above which nothing more is taken. */
const RUN_PART = 0.5;
const PROCESS_PART = 0.6;

/** Limits of a process that executes runs. Bytes are estimated from the data of runs. */
export interface RunnerLimits {
  /** Bytes that one run may hold; above them it ends with an error. */
  readonly runBytes: number;
  /** Bytes of all runs above which the process claims nothing and releases its largest run. */
  readonly processBytes: number;
  /**
   * Bytes of a response or of the items of a node from which on its owner counts as one with large data: for ten
   * minutes the runs of such owners are executed in a process of their own, which has a low priority.
   */
  readonly largeBytes: number;
  /** Waits held in the process besides running executions; more pause in the store. */
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
