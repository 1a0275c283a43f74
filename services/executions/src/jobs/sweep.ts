import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import type { Share } from '../domain/read/sweep-ports';
import { createCounter, createHistogram, SWEEP_BUCKETS } from '@weft/service-kit/metrics';

/** The steps of all sweeps. */
const STEPS = [
  'time-out-executions',
  'wake-due',
  'fill-slots',
  'enforce-retention-counts',
  'purge-expired',
  'review-rows',
  'restore-queue',
  'republish-unclaimed',
  'announce-quarantine',
] as const;

const seconds = createHistogram({
  name: 'weft_sweep_step_seconds',
  help: 'Duration of a background work step, in seconds.',
  labels: { step: STEPS },
  buckets: SWEEP_BUCKETS,
});
const failed = createCounter({
  name: 'weft_sweep_failed_total',
  help: 'Steps of the background work that failed; they are repeated after their interval.',
  labels: { step: STEPS },
});

/** One step of a sweep. Returns true if there is more to do at once. */
export interface SweepStep {
  readonly name: (typeof STEPS)[number];
  readonly run: () => Promise<boolean | void>;
}

/**
 * One pass of the sweeper: every step in order. A failed step is logged and does not prevent others from running.
 * Several replicas may sweep at the same time: each change is a compare-and-set that one of them wins.
 */
export const createSweep = (steps: readonly SweepStep[], logger: Logger) => {
  const watched = steps.map((step) => ({ ...step, faults: createFaultLog(logger, 'a step of the sweep failed') }));
  return async (): Promise<boolean> => {
    let more = false;
    for (const { name, run, faults } of watched) {
      const startedAt = performance.now();
      try {
        if ((await run()) === true) more = true;
        faults.worked();
      } catch (error) {
        failed.inc({ step: name });
        faults.failed({ err: error, step: name });
      }
      seconds.observe({ step: name }, (performance.now() - startedAt) / 1_000);
    }
    return more;
  };
};

/** Number of rows a job reads at once, so that about `most` of them belong to this replica. */
export const pageOf = (share: Share, most: number): number => most * Math.min(share.count(), 10);

/** The id of a due entry. */
export const idOf = ({ _id }: { readonly _id: string }): string => _id;
