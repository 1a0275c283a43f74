import type { ExecutionOffer } from '@weft/proto/execution-queue';
import type { Replica, Replicas } from '../clients/replicas';
import type { Slots } from '../domain/claims/slots';
import type { QueuedExecutions } from './executions-queued';

/** Parts that the handler works with. */
export interface OffersParts {
  readonly replicas: Pick<Replicas, 'at'>;
  readonly slots: Pick<Slots, 'free' | 'takeFree'>;
  /** Number of all slots. */
  readonly slotCount: number;
  /** True if there is memory for more. */
  readonly hasRoom: () => boolean;
  /** True while the queue has more than this runner takes. */
  readonly isBehind: () => boolean;
  readonly queued: Pick<QueuedExecutions, 'takeOffered' | 'waitForOffers'>;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/** Takes what is offered, as far as there are free slots. @returns the ids that are not taken */
export type TakeOffer = (offer: ExecutionOffer) => Promise<readonly string[]>;

/** Part of the slots that offers may have while executions wait in the queue, which came before. */
const PART_WHEN_BEHIND = 0.25;

/** Milliseconds for which one claim waits at a replica. A stop waits for as long. */
const WAIT_MS = 500;
/** Part of the free slots that such a claim may have, and so many at most: the others are for what is queued. */
const WAITING_PART = 0.25;
const MAX_WAITED_FOR = 32;
/** Claims that wait at a replica: while what one was given begins here, the next one is there for more. */
const MAX_WAITS = 2;
/** Milliseconds until a claim waits again at a replica at which one has failed. */
const REFUSED_MS = 5_000;

/**
 * Claims wait at the replicas that have offered something, for as long as they offer more: then nothing has to be asked
 * before a run begins. Whatever finds no claim that waits comes as a message.
 */
const createWaits = ({ slots, hasRoom, isBehind, queued, stopping, clock }: OffersParts): ((at: Replica) => void) => {
  const waitsAt = new Map<Replica, number>();
  const notBefore = new WeakMap<Replica, number>();
  const wait = async (replica: Replica): Promise<void> => {
    while (!stopping.aborted && hasRoom() && !isBehind()) {
      const count = slots.takeFree(Math.min(MAX_WAITED_FOR, Math.floor(slots.free() * WAITING_PART)));
      if (count === 0 || !(await queued.waitForOffers(replica, count, WAIT_MS))) return;
      start(replica);
    }
  };
  const start = (replica: Replica): void => {
    const waits = waitsAt.get(replica) ?? 0;
    if (waits >= MAX_WAITS || clock() < (notBefore.get(replica) ?? 0)) return;
    waitsAt.set(replica, waits + 1);
    wait(replica)
      .catch(() => notBefore.set(replica, clock() + REFUSED_MS))
      .finally(() => {
        const left = (waitsAt.get(replica) ?? 1) - 1;
        if (left > 0) waitsAt.set(replica, left);
        else waitsAt.delete(replica);
      });
  };
  return start;
};

/** Handler of offers. It answers before anything runs. */
export const createTakeOffer = (parts: OffersParts): TakeOffer => {
  const { replicas, slots, slotCount, hasRoom, isBehind, queued, stopping } = parts;
  const waitAt = createWaits(parts);
  let running = 0;
  /** Fresh starts do not overtake the queue; but one whose caller waits may, up to a part. */
  const roomFor = (isAwaited: boolean): number => {
    if (!isBehind()) return slotCount;
    return isAwaited ? Math.max(1, Math.floor(slotCount * PART_WHEN_BEHIND)) - running : 0;
  };
  const run = async (ids: readonly string[], { store }: Replica): Promise<void> => {
    running += ids.length;
    await queued.takeOffered(ids, store);
    running -= ids.length;
  };
  return async ({ replica: address, isAwaited, ids }) => {
    const replica = await replicas.at(address);
    if (replica === undefined || stopping.aborted || !hasRoom()) return ids;
    const count = slots.takeFree(Math.min(ids.length, Math.max(0, roomFor(isAwaited))));
    if (count > 0) void run(ids.slice(0, count), replica);
    waitAt(replica);
    return ids.slice(count);
  };
};
