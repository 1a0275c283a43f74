import type { FieldError } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryStore } from './delivery';

/** Treatment of parked deliveries by an activation. */
export type ParkedChoice = 'run' | 'drop';

/** Deliveries of workflows that are deactivated and activated. */
export interface ParkedCalls {
  /**
   * Parks the pending deliveries of a workflow that has just been deactivated, and waits for attempts in progress: none
   * starts after this.
   * @throws Unavailable
   */
  readonly park: (workflowId: string) => Promise<void>;
  /**
   * Runs or drops the parked deliveries of an active workflow; without a choice they stay.
   * @returns a warning if some are left
   */
  readonly settle: (workflowId: string, choice: ParkedChoice | undefined) => Promise<FieldError[]>;
}

/** Time limit of an attempt, in milliseconds. */
export const ATTEMPT_MS = 15_000;

/** An attempt that has taken longer belongs to a process that died. */
const MAX_WAIT_MS = ATTEMPT_MS + 2_000;

const CHECK_MS = 50;

export const createParkedCalls = (
  store: Pick<DeliveryStore, 'park' | 'isAttempting' | 'countParked' | 'unpark' | 'dropParked'>,
  clock: () => number,
): ParkedCalls => ({
  park: async (workflowId) => {
    await store.park(workflowId);
    const begun = performance.now();
    while ((await store.isAttempting(workflowId)) && performance.now() - begun < MAX_WAIT_MS) await sleep(CHECK_MS);
    // Attempts that failed meanwhile.
    await store.park(workflowId);
  },
  settle: async (workflowId, choice) => {
    if (choice === 'run') await store.unpark(workflowId, new Date(clock()));
    if (choice === 'drop') await store.dropParked(workflowId);
    const count = choice === undefined ? await store.countParked(workflowId) : 0;
    if (count === 0) return [];
    return [
      {
        field: 'deliveries',
        message:
          `${count} webhook ${count === 1 ? 'call was' : 'calls were'} stored and then parked when the workflow was ` +
          'deactivated. Activate it again with parked=run to start them, or with parked=drop to delete them.',
      },
    ];
  },
});
