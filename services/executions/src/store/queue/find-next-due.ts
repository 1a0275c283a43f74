import type { Clock } from '../../domain/state/ports';
import type { Store } from '../open-store';

/** Stores that can contain due work. */
export type DueStore = Pick<
  Store,
  | 'readQueueState'
  | 'findDue'
  | 'slots'
  | 'quarantine'
  | 'retryJobs'
  | 'retentionRules'
  | 'findExpired'
  | 'subscriptions'
  | 'notifications'
>;

/**
 * Finds when the next poll of this service finds something, if that is before `until`. Work that is polled as long as
 * it exists counts as due: queued or running executions, and versions in quarantine, which are reported to new runners.
 */
export const createFindNextDue = (store: DueStore, clock: Clock) => {
  const { readQueueState, findDue, slots, quarantine, retryJobs, retentionRules, findExpired } = store;
  const nextNotification = async (until: Date): Promise<Date[]> => {
    const active = (await store.subscriptions.all()).filter(({ pause }) => pause === undefined);
    const due = await store.notifications.nextDue(
      active.map(({ id }) => id),
      until,
    );
    return due === undefined ? [] : [due];
  };
  return async (until: Date): Promise<Date | undefined> => {
    const now = new Date(clock());
    const { queued, running } = await readQueueState(1);
    if (queued + running > 0) return now;
    const standing = [
      () => slots.findAwaited('', 1),
      () => quarantine.latest(now, 1),
      () => findDue.dueCompletionHooks(until, 1),
    ];
    for (const find of standing) if ((await find()).length > 0) return now;
    const dues = [
      ...(await findDue.pastDeadline(until, 1)).map(({ deadlineAt }) => deadlineAt),
      ...(await findDue.dueWaits(until, 1)).map(({ wait }) => wait?.checkAt),
      ...(await findExpired(until, 1)).map(({ expireAt }) => expireAt),
      ...(await retentionRules.findDue(until, 1)).map(({ nextAt }) => nextAt),
      ...(await retryJobs.due(until, 1)).map(({ dueAt }) => dueAt),
      ...(await nextNotification(until)),
    ];
    const first = Math.min(...dues.map((due) => (due ?? now).getTime()));
    return Number.isFinite(first) ? new Date(first) : undefined;
  };
};
