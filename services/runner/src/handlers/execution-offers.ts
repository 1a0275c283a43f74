import type { ExecutionOffer } from '@weft/proto/execution-queue';
import type { Replicas } from '../clients/replicas';
import type { ExecutionStore } from '../domain/execution-store';
import type { Slots } from '../domain/slots';
import type { QueuedExecutions } from './executions-queued';

/** Parts that the handler works with. */
export interface OffersParts {
  readonly replicas: Pick<Replicas, 'at'>;
  readonly slots: Pick<Slots, 'takeFree'>;
  /** Number of all slots. */
  readonly slotCount: number;
  /** True if there is memory for more. */
  readonly hasRoom: () => boolean;
  /** True while the queue has more than this runner takes. */
  readonly isBehind: () => boolean;
  readonly queued: Pick<QueuedExecutions, 'takeOffered'>;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
}

/** Takes what is offered, as far as there are free slots. @returns the ids that are not taken */
export type TakeOffer = (offer: ExecutionOffer) => Promise<readonly string[]>;

/** Part of the slots that offers may have while executions wait in the queue, which came before. */
const PART_WHEN_BEHIND = 0.25;

/** Handler of offers. It answers before anything runs. */
export const createTakeOffer = ({
  replicas,
  slots,
  slotCount,
  hasRoom,
  isBehind,
  queued,
  stopping,
}: OffersParts): TakeOffer => {
  let running = 0;
  /** Fresh starts do not overtake the queue; but one whose caller waits may, up to a part. */
  const roomFor = (isAwaited: boolean): number => {
    if (!isBehind()) return slotCount;
    return isAwaited ? Math.max(1, Math.floor(slotCount * PART_WHEN_BEHIND)) - running : 0;
  };
  const run = async (ids: readonly string[], replica: ExecutionStore): Promise<void> => {
    running += ids.length;
    await queued.takeOffered(ids, replica);
    running -= ids.length;
  };
  return async ({ replica: address, isAwaited, ids }) => {
    const replica = await replicas.at(address);
    if (replica === undefined || stopping.aborted || !hasRoom()) return ids;
    const count = slots.takeFree(Math.min(ids.length, Math.max(0, roomFor(isAwaited))));
    if (count > 0) void run(ids.slice(0, count), replica);
    return ids.slice(count);
  };
};
