import { boundTo, createCounter, createHistogram, WAIT_BUCKETS } from '@weft/service-kit/metrics';
import { END_REASONS } from '../domain/state/errors';
import type { ExecutionMode } from '../domain/state/execution';
import { END_STATES } from '../domain/state/execution-state';

const MODES = [
  'manual',
  'trigger',
  'webhook',
  'integrated',
  'error',
  'retry',
] as const satisfies readonly ExecutionMode[];

/** Reasons of failures; a success has none. */
const REASONS = ['none', 'NODE_ERROR', ...Object.values(END_REASONS), 'other'] as const;
const reasonOf = boundTo(REASONS);

/** Upper bounds of the histogram of run times, in seconds. */
const RUN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

const started = createCounter({
  name: 'weft_executions_started_total',
  help: 'Executions that were accepted and stored.',
  labels: { mode: MODES },
});
/** Reasons that belong to one state. A success has none; all other reasons are those of `error`. */
const STATE_OF_REASON: Readonly<Record<string, (typeof END_STATES)[number]>> = {
  none: 'success',
  [END_REASONS.cancelled]: 'cancelled',
  [END_REASONS.concurrencyLimit]: 'cancelled',
  [END_REASONS.crashed]: 'crashed',
};

const ended = createCounter({
  name: 'weft_executions_ended_total',
  help: 'Executions that ended, by their state and the reason of their failure.',
  labels: { status: END_STATES, reason: REASONS },
  occurs: ({ status, reason = '' }) => status === (STATE_OF_REASON[reason] ?? 'error'),
});
const duration = createHistogram({
  name: 'weft_execution_duration_seconds',
  help: 'Time from the acceptance of an execution to its end, waits included, in seconds.',
  labels: { status: END_STATES },
  buckets: RUN_BUCKETS,
});
const queueTime = createHistogram({
  name: 'weft_execution_queue_seconds',
  help: 'Time from the acceptance of an execution to its first claim, in seconds.',
  labels: {},
  buckets: WAIT_BUCKETS,
});
const leaseExpired = createCounter({
  name: 'weft_lease_expired_total',
  help: 'Executions that were taken from a runner which no longer renewed its lease.',
  labels: {},
});
const givenUp = createCounter({
  name: 'weft_executions_given_up_total',
  help: 'Executions abandoned because they crashed runners.',
  labels: {},
});
const claimReleased = createCounter({
  name: 'weft_claims_released_total',
  help: 'Claims that were released: by the runner that held them (released), or before it had them (unclaimed).',
  labels: { why: ['released', 'unclaimed'] },
});

/** Metrics of executions. */
export const runMetrics = {
  started: (mode: ExecutionMode): void => started.inc({ mode }),
  /** @param ms since the acceptance */
  ended: (status: (typeof END_STATES)[number], reason: string, ms: number): void => {
    ended.inc({ status, reason: reasonOf(reason === '' ? 'none' : reason) });
    duration.observe({ status }, ms / 1_000);
  },
  /** @param ms since the acceptance */
  claimed: (ms: number): void => queueTime.observe({}, ms / 1_000),
  leaseExpired: (): void => leaseExpired.inc({}),
  givenUp: (): void => givenUp.inc({}),
  claimReleased: (why: 'released' | 'unclaimed'): void => claimReleased.inc({ why }),
} as const;
