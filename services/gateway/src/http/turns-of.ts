import type { TakeTurn, TurnsOf } from '@weft/service-kit/json';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';

/** Turns of an owner at the thread of this process, for parsing long JSON. */
export const turnsOf =
  ({ ownerId, workflowId }: TurnsOf): TakeTurn =>
  () =>
    THREAD_TURNS.take(ownerId, workflowId);
