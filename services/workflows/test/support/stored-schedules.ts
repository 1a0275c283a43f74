import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { workflowModel, type ScheduleDocument } from '../../src/store/workflow-schema';

/** Looks into the service's database, and turns its clock. */
export interface StoredSchedules {
  readonly of: (workflowId: string) => Promise<ScheduleDocument[]>;
  /** Makes the first schedule of a workflow stand at a due time. */
  readonly setDue: (workflowId: string, nextAt: Date) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the database of a service under test. */
export const openStoredSchedules = async (name: string): Promise<StoredSchedules> => {
  const database = await connectDatabase(testMongodbUri(), name);
  const model = workflowModel(database.connection);
  return {
    of: async (workflowId) => (await model.findById(workflowId).lean().exec())?.activation?.schedules ?? [],
    setDue: async (workflowId, nextAt) => {
      await model.updateOne({ _id: workflowId }, { $set: { 'activation.schedules.0.nextAt': nextAt } }).exec();
    },
    close: () => database.close(),
  };
};
