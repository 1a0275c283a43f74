import { APP_KINDS } from '@weft/nodes/descriptors';
import type { Stores } from '../stores';

/**
 * Finds the time before `until` at which the first poll for schedules, backfills, deliveries or hooks has
 * something to do.
 * @param aheadMs how long before its due time a schedule is read
 */
export const createFindNextDue =
  (
    { schedules, backfills, deliveries, hooks }: Pick<Stores, 'schedules' | 'backfills' | 'deliveries' | 'hooks'>,
    aheadMs: number,
  ) =>
  async (until: Date): Promise<Date | undefined> => {
    if ((await backfills.running(1)).length > 0) return new Date(0);
    const [schedule] = await schedules.findDue(new Date(until.getTime() + aheadMs), undefined, 1);
    const [delivery] = await deliveries.due(until, 1);
    const hook = await hooks.nextDue(until, { kinds: APP_KINDS });
    const first = Math.min(
      hook?.getTime() ?? Number.POSITIVE_INFINITY,
      schedule === undefined ? Number.POSITIVE_INFINITY : schedule.checkAt.getTime() - aheadMs,
      delivery === undefined ? Number.POSITIVE_INFINITY : (delivery.nextAttemptAt?.getTime() ?? 0),
    );
    return Number.isFinite(first) ? new Date(first) : undefined;
  };
