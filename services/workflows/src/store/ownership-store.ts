import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { OwnershipStore } from '../domain/ownership';
import { dataTableModel } from './data-table-schema';
import { fileAreaModel } from './file-area-store';
import { ownershipQueries } from './queries';
import { variableModel } from './variable-store';
import { workflowModel } from './workflow-schema';

/** Owners in MongoDB. Variables and data tables are few enough to be read without an index on their owner. */
export const createOwnershipStore = (connection: Connection): OwnershipStore => {
  const workflows = workflowModel(connection);
  const variables = variableModel(connection);
  const tables = dataTableModel(connection);
  const areas = fileAreaModel(connection);
  return {
    count: async (ownerId) => {
      const { filter, options } = ownershipQueries.workflows(ownerId);
      const [ofWorkflows, ofVariables, ofTables] = await Promise.all([
        withStore(() => workflows.countDocuments(filter, options).exec()),
        withStore(() => variables.countDocuments({ ownerId }).exec()),
        withStore(() => tables.countDocuments({ ownerId }).exec()),
      ]);
      return { workflows: ofWorkflows, variables: ofVariables, dataTables: ofTables };
    },
    transfer: async (ownerId, toOwnerId, at) => {
      const { filter } = ownershipQueries.workflows(ownerId);
      const toOther = { $set: { ownerId: toOwnerId } };
      // With another time of change, a concurrent change that read the old owner does not write it back.
      await withStore(() => workflows.updateMany(filter, { $set: { ownerId: toOwnerId, updatedAt: at } }).exec());
      await withStore(() => variables.updateMany({ ownerId }, toOther).exec());
      await withStore(() => tables.updateMany({ ownerId }, toOther).exec());
      await withStore(() => areas.updateMany({ ownerId }, toOther).exec());
    },
  };
};
