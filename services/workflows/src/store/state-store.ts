import { deleteMatching, isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { StateEntry, StateStore } from '../domain/versions/persistent-state';
import type { StoreQuery } from './queries';

/** A stored entry. */
export interface StateDocument {
  /** `<workflow id>:<name>`. */
  _id: string;
  workflowId: string;
  name: string;
  ownerId: string;
  version: number;
  /** JSON text rather than nested BSON, because users may choose any keys. */
  valueJson: string;
  writer: { executionId: string; fence: number };
  writes: { operation: string; version: number }[];
  createdAt: Date;
  updatedAt: Date;
  /** Of conversations only. */
  expireAt?: Date;
  /** Of conversations only. */
  chat?: { session: string; messages: number; bytes: number };
}

const string = { type: String, required: true };
const number = { type: Number, required: true };
const date = { type: Date, required: true };

const stateSchema = new Schema<StateDocument>(
  {
    _id: string,
    workflowId: string,
    name: string,
    ownerId: string,
    version: number,
    valueJson: string,
    writer: new Schema({ executionId: string, fence: number }, { _id: false }),
    writes: [new Schema({ operation: string, version: number }, { _id: false })],
    createdAt: date,
    updatedAt: date,
    expireAt: Date,
    // A session may be empty, which mongoose does not accept for a required string.
    chat: new Schema({ session: String, messages: number, bytes: number }, { _id: false }),
  },
  { versionKey: false },
);

export const stateModel = (connection: Connection): Model<StateDocument> =>
  connection.model<StateDocument>('State', stateSchema, 'state');

const OF_WORKFLOW = 'workflow';
const BY_EXPIRY = 'workflowConversations';

/** The indexes of `state` except `_id`, created at every start. */
export const STATE_INDEXES = [
  { name: OF_WORKFLOW, key: { workflowId: 1 } },
  { name: BY_EXPIRY, key: { workflowId: 1, expireAt: 1, _id: 1 } },
  { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
] as const;

/** The key of an entry. Workflow ids contain no colon. */
export const stateKey = (workflowId: string, name: string): string => `${workflowId}:${name}`;

/** Every query on `state`. */
export const stateQueries = {
  one: (workflowId: string, name: string): StoreQuery<StateDocument> => ({
    filter: { _id: stateKey(workflowId, name) },
    options: {},
    index: '_id_',
  }),
  atVersion: (workflowId: string, name: string, version: number): StoreQuery<StateDocument> => ({
    filter: { _id: stateKey(workflowId, name), version },
    options: {},
    index: '_id_',
  }),
  withoutChats: (workflowId: string): StoreQuery<StateDocument> => ({
    filter: { workflowId, expireAt: null },
    options: { hint: BY_EXPIRY },
    index: BY_EXPIRY,
  }),
  chats: (workflowId: string): StoreQuery<StateDocument> => ({
    filter: { workflowId, expireAt: trusted({ $gt: new Date(0) }) },
    options: { hint: BY_EXPIRY },
    index: BY_EXPIRY,
  }),
  /** The conversations whose last message is older, the newest first. Absent: all. */
  chatsBefore: (workflowId: string, expireAt: Date | undefined): StoreQuery<StateDocument> => ({
    filter: {
      workflowId,
      expireAt: trusted({ $gt: new Date(0), ...(expireAt === undefined ? {} : { $lt: expireAt }) }),
    },
    options: { sort: { expireAt: -1, _id: -1 }, hint: BY_EXPIRY },
    index: BY_EXPIRY,
  }),
  /** The conversations whose last message is from the same time, and whose key is before that of `name`. */
  chatsAt: (workflowId: string, expireAt: Date, name: string): StoreQuery<StateDocument> => ({
    filter: { workflowId, expireAt, _id: trusted({ $lt: stateKey(workflowId, name) }) },
    options: { sort: { _id: -1 }, hint: BY_EXPIRY },
    index: BY_EXPIRY,
  }),
  ofWorkflow: (workflowId: string): StoreQuery<StateDocument> => ({
    filter: { workflowId },
    options: { hint: OF_WORKFLOW },
    index: OF_WORKFLOW,
  }),
};

const toEntry = ({ _id, writer, writes, chat, ...rest }: StateDocument): StateEntry => ({
  ...rest,
  ...(chat === undefined ? {} : { chat: { ...chat } }),
  writer: { executionId: writer.executionId, fence: writer.fence },
  writes: writes.map(({ operation, version }) => ({ operation, version })),
});

const toDocument = ({ writer, writes, ...rest }: StateEntry): StateDocument => ({
  _id: stateKey(rest.workflowId, rest.name),
  ...rest,
  writer: { ...writer },
  writes: writes.map((write) => ({ ...write })),
});

/** Persistent state in MongoDB. */
export const createStateStore = (connection: Connection): StateStore => {
  const model = stateModel(connection);
  return {
    find: async (workflowId, name) => {
      const document = await withStore(() =>
        model.findOne(stateQueries.one(workflowId, name).filter).lean<StateDocument>().exec(),
      );
      return document === null ? undefined : toEntry(document);
    },
    count: (workflowId) => withStore(() => model.countDocuments(stateQueries.withoutChats(workflowId).filter).exec()),
    countChats: (workflowId) => withStore(() => model.countDocuments(stateQueries.chats(workflowId).filter).exec()),
    removeOldestChat: async (workflowId) => {
      const { filter } = stateQueries.chats(workflowId);
      await withStore(() => model.findOneAndDelete(filter, { sort: { expireAt: 1 } }).exec());
    },
    insert: async (entry) => {
      try {
        await withStore(() => model.create(toDocument(entry)));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    replace: async (entry) => {
      const { _id, createdAt, ...changes } = toDocument(entry);
      const { filter } = stateQueries.atVersion(entry.workflowId, entry.name, entry.version - 1);
      const { matchedCount } = await withStore(() => model.updateOne(filter, { $set: changes }).exec());
      return matchedCount === 1;
    },
    remove: async (workflowId, name) => {
      await withStore(() => deleteMatching(model, stateQueries.one(workflowId, name).filter));
    },
    removeAll: async (workflowId) => {
      await withStore(() => deleteMatching(model, stateQueries.ofWorkflow(workflowId).filter));
    },
  };
};
