import type { TakeTurn, TurnsOf } from '@weft/service-kit/json';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';

/** An owner's share of this process's thread, for parsing long JSON. */
export const turnsOf =
  ({ ownerId, workflowId }: TurnsOf): TakeTurn =>
  () =>
    THREAD_TURNS.take(ownerId, workflowId);
