import type { CompletionHook } from '../state/execution';
import type { EndStatus, EventSubscription, SubscriptionStore } from './subscription';

/** The owner and the workflow of a new execution. */
export interface Notified {
  readonly ownerId: string;
  readonly workflowId: string;
}

/** Completion hooks that notify the subscribers of a new execution. */
export type PlanNotifications = (execution: Notified) => readonly CompletionHook[];

/** The subscriptions as this replica knows them. */
export interface KnownSubscriptions {
  readonly plan: PlanNotifications;
  readonly all: () => readonly EventSubscription[];
  readonly get: (id: string) => EventSubscription | undefined;
  /** One of them; if it is unknown, they are read again. @throws Unavailable */
  readonly find: (id: string) => Promise<EventSubscription | undefined>;
  /** Reads them again. @throws Unavailable */
  readonly refresh: () => Promise<void>;
}

const NONE: readonly CompletionHook[] = [];

const WHEN: Readonly<Record<EndStatus, CompletionHook['when']>> = { success: 'success', error: 'stop' };

/** True if a subscription receives the events of an execution. */
export const isFor = ({ ownerId, allOwners, workflowIds }: EventSubscription, execution: Notified): boolean =>
  (allOwners || ownerId === execution.ownerId) &&
  (workflowIds === undefined || workflowIds.includes(execution.workflowId));

/**
 * Keeps a copy of all subscriptions in memory, so that starting an execution reads nothing.
 * @param readAll reads all subscriptions; concurrent calls may share a read that begins after them
 * @param first the subscriptions when the process started
 */
export const createKnownSubscriptions = (
  readAll: SubscriptionStore['all'],
  first: readonly EventSubscription[],
): KnownSubscriptions => {
  let known: ReadonlyMap<string, EventSubscription> = new Map();
  let active: readonly EventSubscription[] = [];
  const learn = (found: readonly EventSubscription[]): void => {
    known = new Map(found.map((one) => [one.id, one]));
    active = found.filter(({ pause }) => pause === undefined);
  };
  learn(first);
  let reads = 0;
  let learned = 0;
  const refresh = async (): Promise<void> => {
    const read = (reads += 1);
    const found = await readAll();
    // A slow read must not undo what a later one has shown.
    if (read < learned) return;
    learned = read;
    learn(found);
  };
  return {
    plan: (execution) => {
      if (active.length === 0) return NONE;
      const matching = active.filter((subscription) => isFor(subscription, execution));
      return matching.map(({ id, status }) => ({
        kind: 'notify',
        when: status === undefined ? 'end' : WHEN[status],
        target: id,
      }));
    },
    all: () => [...known.values()],
    get: (id) => known.get(id),
    find: async (id) => {
      const found = known.get(id);
      if (found !== undefined) return found;
      await refresh();
      return known.get(id);
    },
    refresh,
  };
};
