import type { ServiceName } from '@weft/local-stack';

/** Durations of leases and sweeps; a run of minutes cannot wait for those of production. */
export interface Pace {
  readonly leaseMs: number;
  readonly sweepMs: number;
}

/** For a run of two or three minutes. */
export const SHORT_PACE: Pace = { leaseMs: 9_000, sweepMs: 500 };

/** The defaults of the services. */
export const DEFAULT_PACE: Pace = { leaseMs: 30_000, sweepMs: 5_000 };

/** The variables of the services under test. Waits of more than a second are stored, so that storing is tested. */
export const serviceEnv = ({
  leaseMs,
  sweepMs,
}: Pace): Partial<Record<ServiceName, Readonly<Record<string, string>>>> => ({
  executions: { LEASE_MS: String(leaseMs), SWEEP_MS: String(sweepMs) },
  credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  workflows: { SCHEDULE_POLL_MS: '500' },
  runner: {
    OUTBOUND_ALLOW: '127.0.0.1',
    WAIT_IN_PROCESS_MS: '1000',
    // wall clock: short tasks take longer on a machine that also runs the load and the tests
    RUNNER_CODE_TIMEOUT_MS: '5000',
    RUNNER_SANDBOX_MB: '64',
  },
});

/**
 * Milliseconds until everything must have ended after the load and the last fault: three crashes in a row, and the
 * queue behind them.
 */
export const settleMs = ({ leaseMs }: Pace): number => 30_000 + 6 * leaseMs;

/**
 * Milliseconds for which a client tries: a run may lose several runners, each for a lease and more, before its caller
 * is answered.
 */
export const patienceMs = ({ leaseMs }: Pace): number => 60_000 + 10 * leaseMs;
