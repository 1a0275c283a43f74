import { setTimeout } from 'node:timers/promises';
import { Unavailable } from '@weft/service-kit/errors';
import type { EndedExecution, ExecutionRecord } from '../state/execution';
import { admitWrite } from '../state/free-writes';
import type { ApplyWrite, Clock, Publish } from '../state/ports';

/** An execution that waits for a slot. */
export type QueuedForSlot = Pick<ExecutionRecord, '_id' | 'ownerId' | 'generation' | 'concurrency'>;

/** Holders of the slots of a key. Changed only by compare-and-set. */
export interface SlotHolders {
  /** Increases with every change; 0: there are no holders. */
  readonly rev: number;
  /** In order of acquisition. */
  readonly holders: readonly string[];
}

/** Store of slots. */
export interface SlotStore {
  readonly read: (slotId: string) => Promise<SlotHolders>;
  /** False if another change came first. Without holders the document is deleted. @throws Unavailable */
  readonly change: (slotId: string, rev: number, holders: readonly string[]) => Promise<boolean>;
  /** Executions that wait for a slot, the oldest first. @throws Unavailable */
  readonly findWaiting: (slotId: string, most: number) => Promise<readonly QueuedForSlot[]>;
  /** Keys with waiting executions, after a given one. @throws Unavailable */
  readonly findAwaited: (after: string, most: number) => Promise<readonly string[]>;
  /** The given executions that have not ended. @throws Unavailable */
  readonly findLive: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Ports of assigning slots. */
export interface SlotPorts {
  readonly slots: SlotStore;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** Maximum tries of a change during concurrent changes of the same slots. */
const TRIES = 50;
const MAX_PAUSE_MS = 50;

/** The holders changed during every try: too many concurrent changes of one key, so the caller must try again. */
export class SlotsBusy extends Unavailable {
  constructor() {
    super('The slots of this concurrency key are changing too fast.', undefined, 1);
  }
}

/**
 * Changes the holders of slots; `next` undefined: no change.
 * @returns the holders afterwards
 * @throws SlotsBusy, Unavailable
 */
export const changeHolders = async (
  slotId: string,
  slots: SlotStore,
  next: (now: SlotHolders) => readonly string[] | undefined | Promise<readonly string[] | undefined>,
): Promise<readonly string[]> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const now = await slots.read(slotId);
    const holders = await next(now);
    if (holders === undefined) return now.holders;
    if (await slots.change(slotId, now.rev, holders)) return holders;
    await setTimeout(Math.random() * MAX_PAUSE_MS);
  }
  throw new SlotsBusy();
};

/** Executions read at once. */
const PAGE = 50;

/** Omits ended executions: an execution frees its slot by a completion hook, which may be late. */
export const withoutEnded = async ({ holders }: SlotHolders, slots: SlotStore): Promise<readonly string[]> => {
  const live = holders.length === 0 ? new Set<string>() : await slots.findLive(holders);
  return holders.filter((id) => live.has(id));
};

const admitOne = async (held: QueuedForSlot, slotId: string, { apply, publish, clock }: SlotPorts): Promise<void> => {
  const { outcome } = await apply(held._id, admitWrite(slotId, new Date(clock())));
  if (outcome === 'applied') publish(held._id, `${held.generation + 1}`, { ownerId: held.ownerId });
};

/**
 * Assigns free slots to the executions that have waited longest. Safe to repeat, also concurrently.
 * @throws SlotsBusy, Unavailable
 */
export const fillSlots = async (slotId: string, ports: SlotPorts): Promise<void> => {
  for (let more = true; more;) {
    const held = await ports.slots.findWaiting(slotId, PAGE);
    if (held.length === 0) return;
    let added = 0;
    const holders = await changeHolders(slotId, ports.slots, async (now) => {
      const kept = await withoutEnded(now, ports.slots);
      const next = [...kept];
      for (const { _id, concurrency } of held) {
        if (next.includes(_id)) continue;
        if (next.length >= (concurrency?.limit ?? 1)) break;
        next.push(_id);
      }
      added = next.length - kept.length;
      return added === 0 && kept.length === now.holders.length ? undefined : next;
    });
    const ready = held.filter(({ _id }) => holders.includes(_id));
    for (const one of ready) await admitOne(one, slotId, ports);
    more = added === PAGE;
  }
};

/**
 * Frees the slot of an ended execution, for the one that has waited longest. Safe to repeat.
 * @throws SlotsBusy, Unavailable
 */
export type ReleaseSlot = (ended: Pick<EndedExecution, '_id' | 'concurrency'>) => Promise<void>;

/** Frees slots. */
export const createReleaseSlot =
  (ports: SlotPorts): ReleaseSlot =>
  async ({ _id, concurrency }) => {
    const slotId = concurrency?.slotId;
    if (slotId === undefined) return;
    await changeHolders(slotId, ports.slots, ({ holders }) =>
      holders.includes(_id) ? holders.filter((id) => id !== _id) : undefined,
    );
    await fillSlots(slotId, ports);
  };

/**
 * Fills slots that executions wait for, in case the replica that should have assigned them crashed. One page per call.
 */
export const createFillAwaitedSlots = (ports: SlotPorts) => {
  let after = '';
  return async (): Promise<boolean> => {
    const awaited = await ports.slots.findAwaited(after, PAGE);
    for (const slotId of awaited) await fillSlots(slotId, ports);
    after = awaited.length === PAGE ? (awaited.at(-1) ?? '') : '';
    return after !== '';
  };
};
