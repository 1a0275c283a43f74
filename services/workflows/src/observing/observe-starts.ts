import { boundTo, createCounter, createHistogram } from '@weft/service-kit/metrics';
import type { StartScheduled } from '../domain/schedule/fire-schedules';

/** Upper bounds of the lag, in seconds. */
const LAG_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Reasons for which a due time is not started, or not yet. */
const REASONS = [
  'EXECUTION_OVERLAPS',
  'QUEUE_FULL',
  'SERVICE_UNAVAILABLE',
  'REQUEST_TIMED_OUT',
  'WORKFLOW_NOT_RUNNABLE',
  'other',
] as const;
const reasonOf = boundTo(REASONS);

const lag = createHistogram({
  name: 'weft_schedule_lag_seconds',
  help: 'Time from a due time of a schedule to its start, in seconds.',
  labels: {},
  buckets: LAG_BUCKETS,
});
const refused = createCounter({
  name: 'weft_schedules_refused_total',
  help: 'Starts of due times that were refused; those that can succeed later are repeated.',
  labels: { reason: REASONS },
});

/** Measures how late due times are started, and which are not. @param now Unix milliseconds */
export const observeStarts =
  (start: StartScheduled, now: () => number): StartScheduled =>
  async (starts) => {
    const outcomes = await start(starts);
    starts.forEach(({ due }, index) => {
      const { error, existing } = outcomes[index] ?? {};
      if (error !== undefined) refused.inc({ reason: reasonOf(error.reason) });
      else if (existing !== true) lag.observe({}, Math.max(0, now() - due.getTime()) / 1_000);
    });
    return outcomes;
  };
