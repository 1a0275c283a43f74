import { keyRange, overlappingKeys } from '@weft/node-catalogue';
import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { Listening, ListeningStore } from '../domain/listening/listening';
import { keysOf } from '../domain/listening/listening-route';
import type { StoreQuery } from './queries';
import { orTaken } from './workflows/or-taken';

/** A stored listening. */
export interface ListeningDocument {
  /** Id of the workflow. */
  _id: string;
  listeningId: string;
  ownerId: string;
  versionId: string;
  node: string;
  methods: string[];
  path: string;
  /** Absent once it has got its call: the address is free again. */
  keys?: string[];
  until: Date;
  executionId?: string;
  expireAt: Date;
}

const string = { type: String, required: true };
const date = { type: Date, required: true };

const listeningSchema = new Schema<ListeningDocument>(
  {
    _id: string,
    listeningId: string,
    ownerId: string,
    versionId: string,
    node: string,
    methods: [String],
    path: string,
    keys: { type: [String], default: undefined },
    until: date,
    executionId: String,
    expireAt: date,
  },
  { versionKey: false },
);

export const listeningModel = (connection: Connection): Model<ListeningDocument> =>
  connection.model<ListeningDocument>('Listening', listeningSchema, LISTENINGS);

/** Name of the collection. */
export const LISTENINGS = 'listenings';

const INDEX = { keys: 'keys', owner: 'owner_id', expiry: 'expiry' } as const;

/** The indexes of `listenings` except `_id`; the last one removes those that ended an hour ago. */
export const LISTENING_INDEXES = [
  { name: INDEX.keys, key: { keys: 1 }, unique: true, partialFilterExpression: { keys: { $exists: true } } },
  { name: INDEX.owner, key: { ownerId: 1 } },
  { name: INDEX.expiry, key: { expireAt: 1 }, expireAfterSeconds: 0 },
] as const;

const waits = (now: Date) => ({ until: trusted({ $gt: now }) });

/** Every query on `listenings` that does not use `_id`. */
export const listeningQueries = {
  waiting: (keys: readonly string[], now: Date): StoreQuery<ListeningDocument> => ({
    filter: { keys: trusted({ $exists: true, $in: [...keys] }), ...waits(now) },
    options: { hint: INDEX.keys },
    index: INDEX.keys,
  }),
  expired: (keys: readonly string[], now: Date): StoreQuery<ListeningDocument> => ({
    filter: { keys: trusted({ $exists: true, $in: [...keys] }), until: trusted({ $lte: now }) },
    options: { hint: INDEX.keys },
    index: INDEX.keys,
  }),
  overlaps: (key: string, ownerId: string, now: Date): StoreQuery<ListeningDocument> => {
    const { from, to } = keyRange(key);
    return {
      filter: {
        // One key must meet all conditions, which also bounds the scan of the index on both sides.
        keys: trusted({ $exists: true, $elemMatch: { $gte: from, $lt: to, $regex: overlappingKeys(key).source } }),
        ownerId: trusted({ $ne: ownerId }),
        ...waits(now),
      },
      options: { hint: INDEX.keys },
      index: INDEX.keys,
    };
  },
  ofOwner: (ownerId: string, exceptWorkflowId: string, now: Date): StoreQuery<ListeningDocument> => ({
    filter: { ownerId, keys: trusted({ $exists: true }), _id: trusted({ $ne: exceptWorkflowId }), ...waits(now) },
    options: { hint: INDEX.owner },
    index: INDEX.owner,
  }),
} as const;

const toListening = ({
  _id,
  listeningId,
  keys: _keys,
  expireAt: _expireAt,
  ...rest
}: ListeningDocument): Listening => ({ workflowId: _id, id: listeningId, ...rest });

/** Time for which the outcome can be read after the end, in milliseconds. */
const KEPT_MS = 3_600_000;

const ofWorkflow = (workflowId: string, id: string | undefined) => ({
  _id: workflowId,
  ...(id === undefined ? {} : { listeningId: id }),
});

/** Listenings in MongoDB. */
export const createListeningStore = (connection: Connection): ListeningStore => {
  const model = listeningModel(connection);
  const remove = async (workflowId: string, id?: string): Promise<void> => {
    await withStore(() => deleteMatching(model, ofWorkflow(workflowId, id)));
  };
  const findOne = async ({ filter, options }: StoreQuery<ListeningDocument>): Promise<Listening | undefined> => {
    const found = await withStore(() => model.findOne(filter, {}, options).lean<ListeningDocument>().exec());
    return found === null ? undefined : toListening(found);
  };
  return {
    find: (workflowId) => findOne({ filter: { _id: workflowId }, options: {}, index: '_id_' }),
    findWaiting: async (keys, now) => {
      if (keys.length === 0) return [];
      const { filter, options } = listeningQueries.waiting(keys, now);
      return (await withStore(() => model.find(filter, {}, options).lean<ListeningDocument[]>().exec())).map(
        toListening,
      );
    },
    findOverlap: async (keys, ownerId, now) => {
      // A fixed path of one part overlaps only with itself.
      for (const key of keys.filter((one) => one.includes('/'))) {
        const found = await findOne(listeningQueries.overlaps(key, ownerId, now));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    countWaiting: (ownerId, exceptWorkflowId, now) => {
      const { filter, options } = listeningQueries.ofOwner(ownerId, exceptWorkflowId, now);
      return withStore(() => model.countDocuments(filter, options).exec());
    },
    put: async (listening, now) => {
      const { workflowId, id, ownerId, versionId, node, methods, path, until } = listening;
      const keys = keysOf(listening);
      // The store removes them only once a minute.
      await withStore(() => deleteMatching(model, listeningQueries.expired(keys, now).filter));
      const document: ListeningDocument = {
        _id: workflowId,
        listeningId: id,
        ownerId,
        versionId,
        node,
        methods: [...methods],
        path,
        keys,
        until,
        expireAt: new Date(until.getTime() + KEPT_MS),
      };
      return orTaken(`${LISTENINGS} ${workflowId}`, 'taken', async (): Promise<'done'> => {
        await model.replaceOne({ _id: workflowId }, document, { upsert: true }).exec();
        return 'done';
      });
    },
    take: async (workflowId, id, executionId, now) => {
      const free = { ...ofWorkflow(workflowId, id), executionId: trusted({ $exists: false }), ...waits(now) };
      const { matchedCount } = await withStore(() =>
        model.updateOne(free, { $set: { executionId }, $unset: { keys: '' } }).exec(),
      );
      if (matchedCount === 1) return true;
      return (await withStore(() => model.exists({ ...ofWorkflow(workflowId, id), executionId }).exec())) !== null;
    },
    remove,
    removeAll: (workflowId) => remove(workflowId),
  };
};
