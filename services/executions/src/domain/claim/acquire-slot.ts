import { createHash } from 'node:crypto';
import { ClaimLost } from '../state/errors';
import type { ExecutionRecord, RunConcurrency } from '../state/execution';
import { concurrencyLimitWrite, awaitSlotWrite, assignSlotWrite } from '../state/free-writes';
import type { ReadExecution } from '../state/ports';
import { changeHolders, fillSlots, withoutEnded, type SlotPorts } from './slots';

/** Outcome of requesting a slot: the execution holds one, waits for one, or was ended. */
export type SlotResult = 'acquired' | 'queued' | 'ended';

/**
 * Acquires a slot of an evaluated key for a claimed execution. Safe to repeat.
 * @throws ClaimLost, SlotsBusy, Unavailable
 */
export type AcquireSlot = (executionId: string, fence: number, key: string) => Promise<SlotResult>;

/** Ports of acquiring slots. */
export interface AcquireSlotPorts extends SlotPorts {
  readonly read: ReadExecution;
  readonly retentionMs: number;
}

/** A key is shared by the workflows of one owner; without an owner, it is the key of the workflow alone. */
const slotIdOf = ({ ownerId, workflowId }: ExecutionRecord, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify(key === '' ? ['workflow', workflowId] : ['key', ownerId, key]))
    .digest('base64url');

/** A caller waiting for this execution holds a slot of the same key: waiting for it would be a deadlock. */
const isWithinHolder = ({ parent }: ExecutionRecord, holders: readonly string[]): boolean =>
  parent !== undefined &&
  parent.detached !== true &&
  (holders.includes(parent.executionId) || holders.includes(parent.rootId));

const storeSlotId = async (
  { _id, fence, concurrency }: ExecutionRecord,
  slotId: string,
  { apply }: AcquireSlotPorts,
): Promise<void> => {
  if (concurrency?.slotId === slotId) return;
  const { outcome } = await apply(_id, assignSlotWrite(fence, slotId));
  if (outcome === 'fenced') throw new ClaimLost(_id);
};

/** Waits in the queue. The last slot may have been freed just before: then it gets that one. */
const queueForSlot = async (
  { _id, fence }: ExecutionRecord,
  slotId: string,
  ports: AcquireSlotPorts,
): Promise<SlotResult> => {
  const { outcome } = await ports.apply(_id, awaitSlotWrite(fence, slotId));
  if (outcome === 'fenced') throw new ClaimLost(_id);
  await fillSlots(slotId, ports);
  return 'queued';
};

const end = async (
  { _id }: ExecutionRecord,
  why: string,
  { apply, clock, retentionMs }: AcquireSlotPorts,
): Promise<void> => {
  await apply(_id, concurrencyLimitWrite(new Date(clock()), retentionMs, why));
};

/** Cancels the runs that have held slots longest, as many as necessary, and takes over their slots. */
const replaceOldest = async (
  record: ExecutionRecord,
  slotId: string,
  limit: number,
  ports: AcquireSlotPorts,
): Promise<void> => {
  await changeHolders(slotId, ports.slots, async (now) => {
    const live = await withoutEnded(now, ports.slots);
    const leaving = live.slice(0, Math.max(0, live.length - limit + 1));
    for (const id of leaving) {
      // One that cannot be ended has already ended.
      await ports.apply(
        id,
        concurrencyLimitWrite(
          new Date(ports.clock()),
          ports.retentionMs,
          `The execution was cancelled: execution ${record._id} took its slot. The limit of their concurrency ` +
            `key is ${limit}.`,
        ),
      );
    }
    return [...live.slice(leaving.length), record._id];
  });
};

const tryAcquire = async (
  record: ExecutionRecord,
  slotId: string,
  { limit, whenFull }: RunConcurrency,
  ports: AcquireSlotPorts,
): Promise<boolean> => {
  // Waiting executions come first.
  const isBehindOthers = whenFull === 'queue' && (await ports.slots.findWaiting(slotId, 1)).length > 0;
  let isTaken = false;
  await changeHolders(slotId, ports.slots, async (now) => {
    isTaken = now.holders.includes(record._id) || isWithinHolder(record, now.holders);
    if (isTaken || isBehindOthers) return undefined;
    const live = now.holders.length < limit ? now.holders : await withoutEnded(now, ports.slots);
    isTaken = live.length < limit;
    return isTaken ? [...live, record._id] : undefined;
  });
  return isTaken;
};

/**
 * Acquires slots. The execution stores its slot before it holds it, so that its end frees the slot in any case;
 * leftovers of a crashed process are found by comparing the holders with the state of their executions.
 */
export const createAcquireSlot =
  (ports: AcquireSlotPorts): AcquireSlot =>
  async (executionId, fence, key) => {
    const record = await ports.read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
    const { concurrency } = record;
    if (concurrency === undefined) return 'acquired';
    const slotId = slotIdOf(record, key);
    await storeSlotId(record, slotId, ports);
    if (await tryAcquire(record, slotId, concurrency, ports)) return 'acquired';
    switch (concurrency.whenFull) {
      case 'queue':
        return queueForSlot(record, slotId, ports);
      case 'skip':
        await end(
          record,
          `The execution was not run: ${concurrency.limit} executions of its concurrency key, which is the limit, ` +
            'are running or waiting.',
          ports,
        );
        return 'ended';
      case 'cancel-oldest':
        await replaceOldest(record, slotId, concurrency.limit, ports);
        return 'acquired';
    }
  };
