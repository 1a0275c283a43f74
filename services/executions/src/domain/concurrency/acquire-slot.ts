import { createHash } from 'node:crypto';
import { ClaimLost } from '../errors';
import type { ExecutionRecord, RunConcurrency } from '../execution';
import { crowdedOutWrite, holdWrite, placeWrite } from '../free-writes';
import type { ReadExecution } from '../ports';
import { changePlaces, fillPlaces, withoutEnded, type PlacePorts } from './places';

/** What became of an execution that asked for a place: it has one, waits for one, or was ended. */
export type PlaceTaken = 'taken' | 'held' | 'ended';

/**
 * Takes a place of an evaluated key for an execution that a runner holds. Safe to repeat.
 * @throws ClaimLost, PlacesBusy, Unavailable
 */
export type AcquireSlot = (executionId: string, fence: number, key: string) => Promise<PlaceTaken>;

/** What taking places needs. */
export interface AcquireSlotPorts extends PlacePorts {
  readonly read: ReadExecution;
  readonly retentionMs: number;
}

/** A key is shared by the workflows of one owner; without one, the workflow is by itself. */
const placeIdOf = ({ ownerId, workflowId }: ExecutionRecord, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify(key === '' ? ['workflow', workflowId] : ['key', ownerId, key]))
    .digest('base64url');

/** A caller that waits for this execution has a place of the same key: it would wait for ever for that one's end. */
const isWithinHolder = ({ parent }: ExecutionRecord, holders: readonly string[]): boolean =>
  parent !== undefined &&
  parent.detached !== true &&
  (holders.includes(parent.executionId) || holders.includes(parent.rootId));

const noted = async (
  { _id, fence, concurrency }: ExecutionRecord,
  placeId: string,
  { apply }: AcquireSlotPorts,
): Promise<void> => {
  if (concurrency?.placeId === placeId) return;
  const { outcome } = await apply(_id, placeWrite(fence, placeId));
  if (outcome === 'fenced') throw new ClaimLost(_id);
};

/** Waits in the queue. It may be that the last place was freed just before: then it is its own. */
const hold = async ({ _id, fence }: ExecutionRecord, placeId: string, ports: AcquireSlotPorts): Promise<PlaceTaken> => {
  const { outcome } = await ports.apply(_id, holdWrite(fence, placeId));
  if (outcome === 'fenced') throw new ClaimLost(_id);
  await fillPlaces(placeId, ports);
  return 'held';
};

const end = async (
  { _id }: ExecutionRecord,
  why: string,
  { apply, clock, retentionMs }: AcquireSlotPorts,
): Promise<void> => {
  await apply(_id, crowdedOutWrite(new Date(clock()), retentionMs, why));
};

/** Cancels the runs that have been there longest, as many as have to go, and takes their places over. */
const replaceOldest = async (
  record: ExecutionRecord,
  placeId: string,
  limit: number,
  ports: AcquireSlotPorts,
): Promise<void> => {
  await changePlaces(placeId, ports.places, async (now) => {
    const live = await withoutEnded(now, ports.places);
    const leaving = live.slice(0, Math.max(0, live.length - limit + 1));
    for (const id of leaving) {
      // One that cannot be ended has ended already.
      await ports.apply(
        id,
        crowdedOutWrite(
          new Date(ports.clock()),
          ports.retentionMs,
          `The execution was cancelled: execution ${record._id} took its place, the limit of its concurrency ` +
            `key is ${limit}.`,
        ),
      );
    }
    return [...live.slice(leaving.length), record._id];
  });
};

const takeFree = async (
  record: ExecutionRecord,
  placeId: string,
  { limit, whenFull }: RunConcurrency,
  ports: AcquireSlotPorts,
): Promise<boolean> => {
  // Whoever waits was there before.
  const isBehindOthers = whenFull === 'queue' && (await ports.places.findHeld(placeId, 1)).length > 0;
  let isTaken = false;
  await changePlaces(placeId, ports.places, async (now) => {
    isTaken = now.holders.includes(record._id) || isWithinHolder(record, now.holders);
    if (isTaken || isBehindOthers) return undefined;
    const live = now.holders.length < limit ? now.holders : await withoutEnded(now, ports.places);
    isTaken = live.length < limit;
    return isTaken ? [...live, record._id] : undefined;
  });
  return isTaken;
};

/**
 * Takes places. The execution names its place before it has it, so that its end frees it whatever happens in between;
 * what a dead process left behind is found by comparing the holders with the state of their executions.
 */
export const createAcquireSlot =
  (ports: AcquireSlotPorts): AcquireSlot =>
  async (executionId, fence, key) => {
    const record = await ports.read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
    const { concurrency } = record;
    if (concurrency === undefined) return 'taken';
    const placeId = placeIdOf(record, key);
    await noted(record, placeId, ports);
    if (await takeFree(record, placeId, concurrency, ports)) return 'taken';
    switch (concurrency.whenFull) {
      case 'queue':
        return hold(record, placeId, ports);
      case 'skip':
        await end(
          record,
          `The execution was not run: as many as may, ${concurrency.limit}, of its concurrency key run or ` +
            'wait already.',
          ports,
        );
        return 'ended';
      case 'cancel-oldest':
        await replaceOldest(record, placeId, concurrency.limit, ports);
        return 'taken';
    }
  };
