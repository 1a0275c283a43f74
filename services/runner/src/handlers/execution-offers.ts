import type { ExecutionOffer } from '@weft/proto/execution-queue';
import type { Replica, Replicas } from '../clients/replicas';
import type { Slots } from '../domain/claims/shares/slots';
import type { QueuedExecutions } from './executions-queued';

/** Dependencies of the handler. */
export interface OffersParts {
  readonly replicas: Pick<Replicas, 'at'>;
  readonly slots: Pick<Slots, 'free' | 'takeFree'>;
  /** Total number of slots. */
  readonly slotCount: number;
  /** Whether there is memory for more. */
  readonly hasRoom: () => boolean;
  /** Whether the queue exceeds the capacity of this runner. */
  readonly isBehind: () => boolean;
  readonly queued: Pick<QueuedExecutions, 'takeOffered' | 'waitForOffers'>;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Accepts offers while there are free slots. @returns the declined ids */
export type TakeOffer = (offer: ExecutionOffer) => Promise<readonly string[]>;

/** Share of the slots for offers while older executions wait in the queue. */
const PART_WHEN_BEHIND = 0.25;

/** Milliseconds for which one claim waits at a replica. It delays a shutdown by as much. */
const WAIT_MS = 500;
/** Share of the free slots for such a claim, and its maximum: the others are for the queue. */
const WAITING_PART = 0.25;
const MAX_WAITED_FOR = 32;
/** Concurrent claims that wait at a replica: while the executions of one begin here, the next one waits for more. */
const MAX_WAITS = 2;
/** Milliseconds before a claim waits again at a replica at which one has failed. */
const REFUSED_MS = 5_000;

/**
 * Claims wait at replicas that have offered executions, as long as they offer more: this saves a round trip before a
 * run begins. Offers without a waiting claim arrive as messages.
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

/** Creates the handler of offers. It responds before anything runs. */
export const createTakeOffer = (parts: OffersParts): TakeOffer => {
  const { replicas, slots, slotCount, hasRoom, isBehind, queued, stopping } = parts;
  const waitAt = createWaits(parts);
  let running = 0;
  /** Fresh starts do not overtake the queue, except, up to a share, those whose callers wait. */
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
