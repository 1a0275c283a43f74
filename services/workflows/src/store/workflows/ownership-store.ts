import { uuidv7 } from '@weft/service-kit/ids';
import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { OwnedThing, OwnershipStore } from '../../domain/ownership';
import { cancelBackfills } from '../schedules/backfill-store';
import { dataTableModel } from '../data-tables/data-table-schema';
import { fileAreaModel } from '../file-area-store';
import { ownershipQueries, workflowQueries } from '../queries';
import { variableModel } from '../variable-store';
import { workflowModel } from './workflow-schema';

/** Gives a workflow a new owner, and deactivates it. */
const inactive = (ownerId: string, at: Date) => ({
  $set: { ownerId, updatedAt: at, active: false, routesRelease: uuidv7() },
  $unset: { activation: '' as const },
});

/** Owners in MongoDB. Variables and data tables are so few that they need no index on their owner. */
export const createOwnershipStore = (connection: Connection): OwnershipStore => {
  const workflows = workflowModel(connection);
  const variables = variableModel(connection);
  const tables = dataTableModel(connection);
  const areas = fileAreaModel(connection);
  const ownerIn: Readonly<Record<OwnedThing['kind'], (id: string) => Promise<{ ownerId: string } | null>>> = {
    workflow: (id) => workflows.findOne(workflowQueries.one(id).filter, { ownerId: 1 }).lean().exec(),
    variable: (id) => variables.findById(id, { ownerId: 1 }).lean().exec(),
    'data-table': (id) => tables.findById(id, { ownerId: 1 }).lean().exec(),
  };
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
      const { filter, options } = ownershipQueries.workflows(ownerId);
      const inheritedIds = await withStore(() => workflows.find(filter, { _id: 1 }, options).lean().exec());
      if (inheritedIds.length > 0)
        await cancelBackfills(
          connection,
          inheritedIds.map(({ _id }) => _id),
          at,
        );
      const toOther = { $set: { ownerId: toOwnerId } };
      // The new time of change makes a concurrent change that read the old owner fail.
      await withStore(() => workflows.updateMany(filter, inactive(toOwnerId, at)).exec());
      await withStore(() => variables.updateMany({ ownerId }, toOther).exec());
      await withStore(() => tables.updateMany({ ownerId }, toOther).exec());
      await withStore(() => areas.updateMany({ ownerId }, toOther).exec());
    },
    ownerOf: async ({ kind, id }) => (await withStore(() => ownerIn[kind](id)))?.ownerId,
    transferOne: async ({ kind, id }, ownerId, { ownerId: toOwnerId, at, deactivates }) => {
      const toOther = { $set: { ownerId: toOwnerId } };
      if (kind === 'variable')
        return (await withStore(() => variables.updateOne({ _id: id, ownerId }, toOther).exec())).matchedCount === 1;
      if (kind === 'data-table')
        return (await withStore(() => tables.updateOne({ _id: id, ownerId }, toOther).exec())).matchedCount === 1;
      const filter = { ...workflowQueries.one(id).filter, ownerId };
      const change = { ownerId: toOwnerId, updatedAt: at, routesRelease: uuidv7() };
      const moved = deactivates ? inactive(toOwnerId, at) : { $set: change };
      if (deactivates) await cancelBackfills(connection, [id], at);
      if ((await withStore(() => workflows.updateOne(filter, moved).exec())).matchedCount !== 1) return false;
      await withStore(() => areas.updateOne({ _id: id }, toOther).exec());
      return true;
    },
  };
};
