import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { ScheduleMove, ScheduleStore } from '../domain/ports';
import { workflowQueries } from './queries';
import { toSchedule } from './workflow-documents';
import { workflowModel, type WorkflowDocument } from './workflow-schema';

const writeOf = ({ workflowId, activationId, node, index, due, nextAt }: ScheduleMove) => {
  const place = 'activation.schedules.$';
  const lastDue = { [`${place}.lastDue`]: due };
  return {
    updateOne: {
      filter: workflowQueries.dueSchedule(workflowId, activationId, { node, index, nextAt: due }).filter,
      update: nextAt === undefined ? { $set: lastDue, $unset: { [`${place}.nextAt`]: '' as const } } : { $set: { ...lastDue, [`${place}.nextAt`]: nextAt } },
    },
  };
};

/** Due times in MongoDB, within the documents of the workflows. */
export const createScheduleStore = (connection: Connection): ScheduleStore => {
  const model = workflowModel(connection);
  return {
    findDue: async (until, afterId, limit) => {
      const { filter, options } = workflowQueries.due(until, afterId);
      const projection = { ownerId: 1, 'activation.id': 1, 'activation.versionId': 1, 'activation.schedules': 1 };
      const documents = await withStore(() => model.find(filter, projection, { ...options, limit }).lean<WorkflowDocument[]>().exec());
      return documents.flatMap(({ _id, ownerId, activation }) =>
        activation === undefined
          ? []
          : [{ workflowId: _id, ownerId, activationId: activation.id, versionId: activation.versionId, schedules: activation.schedules.map(toSchedule) }]);
    },
    moveOn: async (moves) => {
      await withStore(() => model.bulkWrite(moves.map(writeOf), { ordered: false }));
    },
  };
};
