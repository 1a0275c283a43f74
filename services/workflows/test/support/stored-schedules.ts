import { connectDatabase } from '@weft/service-kit/mongo';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';
import { testMongodbUri } from '@weft/service-kit/testing';
import { workflowModel, type ScheduleDocument } from '../../src/store/workflows/workflow-schema';

/** Access to the service's database, to change due times. */
export interface StoredSchedules {
  readonly of: (workflowId: string) => Promise<ScheduleDocument[]>;
  /** Sets the first schedule of a workflow to a due time. */
  readonly setDue: (workflowId: string, nextAt: Date) => Promise<void>;
  /** The heartbeats of the service's replicas. */
  readonly replicas: () => Promise<{ _id: string; beat: number }[]>;
  /** Adds the heartbeat of a killed replica. */
  readonly addKilledReplica: (name: string) => Promise<void>;
  readonly removeKilledReplicas: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the database of a service under test. */
export const openStoredSchedules = async (name: string): Promise<StoredSchedules> => {
  const database = await connectDatabase(testMongodbUri(), name);
  const model = workflowModel(database.connection);
  const replicas = database.connection.collection<{ _id: string; beat: number }>(REPLICAS_COLLECTION);
  return {
    of: async (workflowId) => (await model.findById(workflowId).lean().exec())?.activation?.schedules ?? [],
    setDue: async (workflowId, nextAt) => {
      await model
        .updateOne(
          { _id: workflowId },
          { $set: { 'activation.schedules.0.nextAt': nextAt, 'activation.checkAt': nextAt } },
        )
        .exec();
    },
    replicas: () => replicas.find({}, { projection: { beat: 1 } }).toArray(),
    addKilledReplica: async (name) => {
      await replicas.insertOne({ _id: name, beat: 1 });
    },
    removeKilledReplicas: async () => {
      await replicas.deleteMany({ beat: 1 });
    },
    close: () => database.close(),
  };
};
