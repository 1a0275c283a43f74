import type { EngineState, FinishedRun, Resume, RunData } from '@weft/engine';
import type { InProcessWaits } from './in-process-waits';

/** One segment of a run: the state it continues from, and the event that woke it. */
export interface RunSegment {
  readonly state: EngineState;
  readonly records: RunData;
  readonly resume?: Resume;
}

/** Dependencies of running segment after segment. */
export interface SegmentDeps {
  readonly runOnce: (segment: RunSegment) => Promise<FinishedRun>;
  readonly inProcessWaits: Pick<InProcessWaits, 'sleep'>;
  readonly signal: AbortSignal;
  /** Stores the state of the run. */
  readonly save: (state: EngineState) => Promise<void>;
}

/**
 * Runs until the run has ended, was stopped, or waits for more than a short timer, which is awaited in this process. A
 * timer that cannot be awaited, or is interrupted, is returned as a wait with its original end.
 */
export const runSegments = async (
  from: RunSegment,
  { runOnce, inProcessWaits, signal, save }: SegmentDeps,
): Promise<FinishedRun> => {
  let segment = from;
  // Every segment adds a node run, which are limited in number, or waits for room in the queue, which the time limit of
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

/** A run that was cancelled or lost while it waited must not wait any longer. */
const interrupted = (finished: FinishedRun, state: EngineState, signal: AbortSignal): FinishedRun => {
  if (!signal.aborted || signal.reason === 'drain') return finished;
  return {
    ...finished,
    outcome: { kind: 'stopped', reason: signal.reason === 'cancelled' ? 'cancel' : 'lost', state },
  };
};
