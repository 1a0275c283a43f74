import { inKeyOrder, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { DueWorkflow, ScheduleMove, ScheduleStore } from '../../domain/ports';
import { workflowQueries, type StoreQuery } from '../queries';
import { schedulesOf, toSchedule } from '../workflows/workflow-documents';
import { workflowModel, type WorkflowDocument } from '../workflows/workflow-schema';

const writeOf = ({ seen, schedules }: ScheduleMove) => {
  const { checkAt, schedules: standing } = schedulesOf(schedules);
  const set = { 'activation.schedules': standing };
  const filter: Readonly<Record<string, unknown>> = {
    ...workflowQueries.standing(seen.workflowId, seen.activationId, seen.checkAt).filter,
  };
  return {
    updateOne: {
      filter,
      update:
        checkAt === undefined
          ? { $set: set, $unset: { 'activation.checkAt': '' as const } }
          : { $set: { ...set, 'activation.checkAt': checkAt } },
    },
  };
};

const toDue = ({ _id, ownerId, activation }: WorkflowDocument): DueWorkflow[] =>
  activation?.checkAt === undefined
    ? []
    : [
        {
          workflowId: _id,
          ownerId,
          activationId: activation.id,
          versionId: activation.versionId,
          checkAt: activation.checkAt,
          schedules: activation.schedules.map(toSchedule),
        },
      ];

const PROJECTION = {
  ownerId: 1,
  'activation.id': 1,
  'activation.versionId': 1,
  'activation.schedules': 1,
  'activation.checkAt': 1,
};

/** Due times in MongoDB, within the documents of the workflows. */
export const createScheduleStore = (connection: Connection): ScheduleStore => {
  const model = workflowModel(connection);
  const find = async ({ filter, options }: StoreQuery<WorkflowDocument>, limit: number): Promise<DueWorkflow[]> =>
    (
      await withStore(() =>
        model
          .find(filter, PROJECTION, { ...options, limit })
          .lean<WorkflowDocument[]>()
          .exec(),
      )
    ).flatMap(toDue);
  return {
    // Two plain ranges of the index instead of one with an $or, which not every server reads in order.
    findDue: async (until, after, limit) => {
      if (after === undefined) return find(workflowQueries.due(until, undefined), limit);
      const same = await find(workflowQueries.dueAt(after.checkAt, after.workflowId), limit);
      return same.length === limit
        ? same
        : [...same, ...(await find(workflowQueries.due(until, after.checkAt), limit - same.length))];
    },
    moveOn: async (moves) => {
      // Through the driver, because mongoose's types cannot express a path that may be absent.
      await withStore(() =>
        connection
          .collection<WorkflowDocument>(model.collection.name)
          .bulkWrite(inKeyOrder(moves, ({ seen }) => seen.workflowId).map(writeOf), { ordered: false }),
      );
    },
  };
};
