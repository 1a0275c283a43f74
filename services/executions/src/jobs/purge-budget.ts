/** Part of all records that may be purged in an hour because their retention ended. */
const PART_PER_HOUR = 0.2;

/** Minimum number of records per hour, so that small stores are purged on time. */
const MIN_PER_HOUR = 600;

const HOUR_MS = 3_600_000;

/** Milliseconds for which a count of the records is used. */
const COUNT_MS = 600_000;

/** Part of an hour's records that may be purged at once. */
const AT_ONCE = 1 / 6;

export interface PurgeBudgetPorts {
  /** Number of all records, roughly. */
  readonly countRecords: () => Promise<number>;
  /** Number of replicas that share the work. */
  readonly replicas: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Takes at most `wanted` records from the budget. @returns how many may be purged now */
export type TakePurges = (wanted: number) => Promise<number>;

/**
 * Limits how fast records are purged: whatever is wrong with a clock or a setting, an operator has hours to notice it.
 */
export const createPurgeBudget = ({ countRecords, replicas, clock }: PurgeBudgetPorts): TakePurges => {
  let counted: { readonly perHour: number; readonly at: number } | undefined;
  let left = 0;
  let refilledAt = 0;
  const perHourNow = async (now: number): Promise<number> => {
    if (counted === undefined || now - counted.at > COUNT_MS) {
      const perHour = Math.max(MIN_PER_HOUR, (await countRecords()) * PART_PER_HOUR);
      if (counted === undefined) {
        left = (perHour * AT_ONCE) / replicas();
        refilledAt = now;
      }
      counted = { perHour, at: now };
    }
    return counted.perHour / replicas();
  };
  return async (wanted) => {
    if (wanted === 0) return 0;
    const now = clock();
    const perHour = await perHourNow(now);
    const refill = ((now - refilledAt) / HOUR_MS) * perHour * (1 - AT_ONCE);
    left = Math.min(perHour * AT_ONCE, left + refill);
    refilledAt = now;
    const taken = Math.min(wanted, Math.floor(left));
    left -= taken;
    return taken;
  };
};
