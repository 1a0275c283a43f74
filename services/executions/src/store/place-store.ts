import { randomInt } from 'node:crypto';
import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection, type Model } from 'mongoose';
import type { HeldExecution, PlaceStore } from '../domain/concurrency/places';
import { isEndState } from '../domain/execution-state';
import type { ReadProgress } from '../domain/waiters';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

interface PlaceDocument {
  readonly _id: string;
  readonly rev: number;
  readonly holders: readonly string[];
}

const placeSchema = new Schema<PlaceDocument>(
  {
    _id: { type: String, required: true },
    rev: { type: Number, required: true },
    holders: { type: [String], required: true },
  },
  {
    collection: 'concurrencyPlaces',
    versionKey: false,
    strict: 'throw',
    autoIndex: false,
    autoCreate: false,
    id: false,
  },
);

const placeModel = (connection: Connection): Model<PlaceDocument> =>
  connection.model<PlaceDocument>('ConcurrencyPlace', placeSchema);

const HELD = { ownerId: 1, generation: 1, concurrency: 1 } as const;

const insert = async (model: Model<PlaceDocument>, document: PlaceDocument): Promise<boolean> => {
  try {
    await withStore(() => model.insertMany([document], { lean: true }));
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
};

/** Places by their keys: a document for each key that somebody has a place of. */
export const createPlaceStore = (
  connection: Connection,
  executions: ExecutionModel,
  readProgress: ReadProgress,
): PlaceStore => {
  const model = placeModel(connection);
  return {
    read: async (placeId) => {
      const found = await withStore(() => model.findOne({ _id: placeId }).lean<PlaceDocument>().exec());
      return found === null ? { rev: 0, holders: [] } : { rev: found.rev, holders: found.holders };
    },
    change: async (placeId, rev, holders) => {
      // Begins anywhere: a key that was forgotten and comes again is not taken for what it was.
      if (rev === 0)
        return holders.length === 0 || insert(model, { _id: placeId, rev: randomInt(1, 2 ** 40), holders });
      if (holders.length === 0)
        return (await withStore(() => model.deleteOne({ _id: placeId, rev }).exec())).deletedCount === 1;
      const { matchedCount } = await withStore(() =>
        model.updateOne({ _id: placeId, rev }, { $set: { holders: [...holders] }, $inc: { rev: 1 } }).exec(),
      );
      return matchedCount === 1;
    },
    findHeld: (placeId, most) => {
      const { filter, sort, index } = QUERIES.heldFor(placeId);
      return withStore(() =>
        executions.find(filter, HELD).sort(sort).hint(index).limit(most).lean<HeldExecution[]>().exec(),
      );
    },
    findAwaited: async (after, most) => {
      const { filter, index } = QUERIES.held(after);
      const groups = await withStore(() =>
        executions
          .aggregate<{ readonly _id: string }>([
            { $match: filter },
            { $group: { _id: '$heldFor' } },
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
