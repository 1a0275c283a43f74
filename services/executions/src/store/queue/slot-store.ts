import { randomInt } from 'node:crypto';
import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection, type Model } from 'mongoose';
import type { QueuedForSlot, SlotStore } from '../../domain/claim/slots';
import { isEndState } from '../../domain/state/execution-state';
import type { ReadProgress } from '../../domain/wait/waiters';
import type { ExecutionModel } from '../executions/execution-schema';
import { QUERIES } from '../queries';

interface SlotDocument {
  readonly _id: string;
  readonly rev: number;
  readonly holders: readonly string[];
}

const slotSchema = new Schema<SlotDocument>(
  {
    _id: { type: String, required: true },
    rev: { type: Number, required: true },
    holders: { type: [String], required: true },
  },
  {
    collection: 'concurrencySlots',
    versionKey: false,
    strict: 'throw',
    autoIndex: false,
    autoCreate: false,
    id: false,
  },
);

const slotModel = (connection: Connection): Model<SlotDocument> =>
  connection.model<SlotDocument>('ConcurrencySlot', slotSchema);

const WAITING = { ownerId: 1, generation: 1, concurrency: 1 } as const;

const insert = async (model: Model<SlotDocument>, document: SlotDocument): Promise<boolean> => {
  try {
    await withStore(() => model.insertMany([document], { lean: true }));
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
};

/** Slots by their keys: a document for each key that has a holder. */
export const createSlotStore = (
  connection: Connection,
  executions: ExecutionModel,
  readProgress: ReadProgress,
): SlotStore => {
  const model = slotModel(connection);
  return {
    read: async (slotId) => {
      const found = await withStore(() => model.findOne({ _id: slotId }).lean<SlotDocument>().exec());
      return found === null ? { rev: 0, holders: [] } : { rev: found.rev, holders: found.holders };
    },
    change: async (slotId, rev, holders) => {
      // Starts at a random version: a key that is deleted and recreated must not look unchanged.
      if (rev === 0) return holders.length === 0 || insert(model, { _id: slotId, rev: randomInt(1, 2 ** 40), holders });
      if (holders.length === 0)
        return (await withStore(() => model.deleteOne({ _id: slotId, rev }).exec())).deletedCount === 1;
      const { matchedCount } = await withStore(() =>
        model.updateOne({ _id: slotId, rev }, { $set: { holders: [...holders] }, $inc: { rev: 1 } }).exec(),
      );
      return matchedCount === 1;
    },
    findWaiting: (slotId, most) => {
      const { filter, sort, index } = QUERIES.waitingForSlot(slotId);
      return withStore(() =>
        executions.find(filter, WAITING).sort(sort).hint(index).limit(most).lean<QueuedForSlot[]>().exec(),
      );
    },
    findAwaited: async (after, most) => {
      const { filter, index } = QUERIES.waitingForSlots(after);
      const groups = await withStore(() =>
        executions
          .aggregate<{ readonly _id: string }>([
            { $match: filter },
            { $group: { _id: '$waitsForSlotId' } },
            { $sort: { _id: 1 } },
            { $limit: most },
          ])
          .hint(index)
          .exec(),
      );
      return groups.map(({ _id }) => _id);
    },
    findLive: async (ids) =>
      new Set([...(await readProgress(ids))].flatMap(([id, { state }]) => (isEndState(state) ? [] : [id]))),
  };
};
