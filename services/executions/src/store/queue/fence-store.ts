import { isDuplicateKey, withStore, type Index } from '@weft/service-kit/mongo';
import { Schema, type Connection } from 'mongoose';
import { FENCE_HASH, FENCE_MS, type SpentFences } from '../../domain/start/fence-execution';
import type { Clock } from '../../domain/state/ports';
import type { ExecutionModel } from '../executions/execution-schema';

interface FenceDocument {
  _id: string;
  expireAt: Date;
}

const schema = new Schema<FenceDocument>(
  { _id: { type: String, required: true }, expireAt: { type: Date, required: true } },
  { collection: 'spentFences', versionKey: false, strict: 'throw', autoIndex: false, autoCreate: false, id: false },
);

/** The index deletes expired fences. */
export const FENCE_INDEXES: readonly Index[] = [{ key: { expireAt: 1 }, name: 'expiry', expireAfterSeconds: 0 }];

/** Spent fences, and the documents among the executions that they replace. */
export const createSpentFences = (connection: Connection, executions: ExecutionModel, clock: Clock): SpentFences => {
  const model = connection.model<FenceDocument>('SpentFence', schema);
  return {
    isSpent: (executionId) => withStore(async () => (await model.exists({ _id: executionId }).exec()) !== null),
    spend: async (executionId) => {
      const fence = { _id: executionId, requestHash: FENCE_HASH };
      if ((await withStore(() => executions.exists(fence).exec())) === null) return;
      try {
        await withStore(() => model.create({ _id: executionId, expireAt: new Date(clock() + FENCE_MS) }));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await withStore(() => executions.deleteOne(fence).exec());
    },
  };
};
