import type { EngineState, FinishedRun, Resume, RunData } from '@weft/engine';
import type { InProcessWaits } from './in-process-waits';

/** One stretch of a run: the state it continues from, and what woke it. */
export interface RunSegment {
  readonly state: EngineState;
  readonly records: RunData;
  readonly resume?: Resume;
}

/** Dependencies of running segment after segment. */
export interface SegmentDeps {
  readonly runOnce: (segment: RunSegment) => Promise<FinishedRun>;
  readonly inProcessWaits: InProcessWaits;
  readonly signal: AbortSignal;
  /** Stores the state of the run. */
  readonly save: (state: EngineState) => Promise<void>;
}

/**
 * Runs until the run has ended, was stopped, or waits for something that is not short: short timers are waited for
 * in this process. One that cannot be, or is interrupted, is returned as a wait, with its end as it was.
 */
export const runSegments = async (
  from: RunSegment,
  { runOnce, inProcessWaits, signal, save }: SegmentDeps,
): Promise<FinishedRun> => {
  let segment = from;
  // Every segment adds a node run, whose number has a bound, or waits for room in the queue, which the time limit of
  // the run ends.
  for (;;) {
    const finished = await runOnce(segment);
    const { outcome } = finished;
    if (outcome.kind !== 'waiting' || outcome.wait.kind !== 'timer') return finished;
    const { state } = outcome;
    if (!(await inProcessWaits.sleep(outcome.wait.at, signal, () => save(state))))
      return interrupted(finished, state, signal);
    segment = { state, records: finished.records, resume: { kind: 'timer' } };
  }
};

/** A run that was cancelled or lost while it waited waits for nothing any more. */
const interrupted = (finished: FinishedRun, state: EngineState, signal: AbortSignal): FinishedRun => {
  if (!signal.aborted || signal.reason === 'drain') return finished;
  return {
    ...finished,
    outcome: { kind: 'stopped', reason: signal.reason === 'cancelled' ? 'cancel' : 'lost', state },
  };
};
