import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { StateEntry, StateStore } from '../domain/state/state';
import { STATE_INDEXES, stateKey, stateQueries } from './state-queries';
import { stateModel, type StateDocument } from './state-schema';

const toEntry = ({ _id, writer, writes, ...rest }: StateDocument): StateEntry => ({
  ...rest,
  writer: { executionId: writer.executionId, fence: writer.fence },
  writes: writes.map(({ operation, version }) => ({ operation, version })),
});

const toDocument = ({ writer, writes, ...rest }: StateEntry): StateDocument => ({
  _id: stateKey(rest.workflowId, rest.name),
  ...rest,
  writer: { ...writer },
  writes: writes.map((write) => ({ ...write })),
});

/** Makes the index; one that exists is left as it is. */
export const ensureStateIndexes = async (connection: Connection): Promise<void> => {
  await withStore(() => stateModel(connection).collection.createIndexes(STATE_INDEXES.map((index) => ({ ...index }))));
};

/** What workflows keep, in MongoDB. */
export const createStateStore = (connection: Connection): StateStore => {
  const model = stateModel(connection);
  return {
    find: async (workflowId, name) => {
      const document = await withStore(() =>
        model.findOne(stateQueries.one(workflowId, name).filter).lean<StateDocument>().exec(),
      );
      return document === null ? undefined : toEntry(document);
    },
    count: (workflowId) => withStore(() => model.countDocuments(stateQueries.ofWorkflow(workflowId).filter).exec()),
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
      await withStore(() => model.deleteOne(stateQueries.one(workflowId, name).filter).exec());
    },
    removeAll: async (workflowId) => {
      await withStore(() => model.deleteMany(stateQueries.ofWorkflow(workflowId).filter).exec());
    },
  };
};
