import type { TakeTurn, TurnsOf } from '@weft/service-kit/json';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';

/** Turns at the thread of this process, for long JSON that belongs to an owner. */
export const turnsOf =
  ({ ownerId, workflowId }: TurnsOf): TakeTurn =>
  () =>
    THREAD_TURNS.take(ownerId, workflowId);
