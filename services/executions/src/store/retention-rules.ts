import { withStore, type Index } from '@weft/service-kit/mongo';
import mongoose, { type Connection } from 'mongoose';
import type { ExecutionRecord } from '../domain/state/execution';
import { END_STATES } from '../domain/state/execution-state';
import type { FindBeyond, RetentionRules } from '../domain/end/retention-rules';
import type { ExecutionModel } from './executions/execution-schema';
import { QUERIES } from './queries';

const { trusted } = mongoose;

interface RuleDocument {
  readonly _id: string;
  readonly count: number;
  readonly nextAt: Date;
}

const COLLECTION = 'retentionRules';

/** Indexes of the rules. */
export const RETENTION_INDEXES: readonly Index[] = [{ name: 'due', key: { nextAt: 1 } }];

/** Rules in MongoDB. */
export const createRetentionRules = (connection: Connection): RetentionRules => {
  const rules = connection.collection<RuleDocument>(COLLECTION);
  return {
    note: async (workflowId, count) => {
      if (count === undefined) await withStore(() => rules.deleteOne({ _id: workflowId }));
      else
        await withStore(() =>
          rules.updateOne(
            { _id: workflowId },
            { $set: { count }, $setOnInsert: { nextAt: new Date(0) } },
            { upsert: true },
          ),
        );
    },
    findDue: async (now, most) => {
      const found = await withStore(() =>
        rules
          .find({ nextAt: { $lt: now } }, { hint: 'due' })
          .sort({ nextAt: 1 })
          .limit(most)
          .toArray(),
      );
      return found.map(({ _id, count, nextAt }) => ({ workflowId: _id, count, nextAt }));
    },
    take: async ({ workflowId, nextAt: seen }, nextAt) =>
      (await withStore(() => rules.updateOne({ _id: workflowId, nextAt: seen }, { $set: { nextAt } }))).matchedCount ===
      1,
  };
};

type Known = Pick<ExecutionRecord, '_id'>;

/** Finds executions beyond a limit: by the index of a workflow's pages, from the newest. */
export const createFindBeyond =
  (model: ExecutionModel): FindBeyond =>
  async (workflowId, kept, most) => {
    const { filter, sort, index } = QUERIES.page({ workflowId });
    const [last] = await withStore(() =>
      model
        .find(filter, { _id: 1 })
        .sort(sort)
        .hint(index)
        .skip(kept - 1)
        .limit(1)
        .lean<Known[]>()
        .exec(),
    );
    if (last === undefined) return [];
    const older = QUERIES.page({ workflowId, before: last._id });
    const ended = {
      ...older.filter,
      state: trusted({ $in: [...END_STATES] }),
      expireAt: trusted({ $ne: new Date(0) }),
    };
    const found = await withStore(() =>
      model.find(ended, { _id: 1 }).sort(older.sort).hint(older.index).limit(most).lean<Known[]>().exec(),
    );
    return found.map(({ _id }) => _id);
  };
