import type { EngineState, FinishedRun, Resume, RunData } from '@weft/engine';
import type { InProcessWaits } from './in-process-waits';

/** Where a run goes on from. */
export interface Leg {
  readonly state: EngineState;
  readonly records: RunData;
  readonly resume?: Resume;
}

/** What running through short waits needs. */
export interface RestParts {
  readonly runOnce: (leg: Leg) => Promise<FinishedRun>;
  readonly inProcessWaits: InProcessWaits;
  readonly signal: AbortSignal;
  /** Stores where the run stands. */
  readonly keep: (state: EngineState) => Promise<void>;
}

/**
 * Runs until the run has ended, was stopped, or waits for something that is not short: short timers are slept through
 * in this process. One that cannot be, or is interrupted, is given back as a wait, with its end as it was.
 */
export const runToRest = async (
  from: Leg,
  { runOnce, inProcessWaits, signal, keep }: RestParts,
): Promise<FinishedRun> => {
  let leg = from;
  // Every turn adds a node run, whose number has a bound, or waits for room in the queue, which the time limit of the
  // run ends.
  for (;;) {
    const finished = await runOnce(leg);
    const { outcome } = finished;
    if (outcome.kind !== 'waiting' || outcome.wait.kind !== 'timer') return finished;
    const { state } = outcome;
    if (!(await inProcessWaits.sleep(outcome.wait.at, signal, () => keep(state))))
      return atRest(finished, state, signal);
    leg = { state, records: finished.records, resume: { kind: 'timer' } };
  }
};

/** A run that was cancelled or lost in its sleep waits for nothing any more. */
const atRest = (finished: FinishedRun, state: EngineState, signal: AbortSignal): FinishedRun => {
  if (!signal.aborted || signal.reason === 'drain') return finished;
  return {
    ...finished,
    outcome: { kind: 'stopped', reason: signal.reason === 'cancelled' ? 'cancel' : 'lost', state },
  };
};
