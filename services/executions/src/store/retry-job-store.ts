import { isDuplicateKey, withStore, type Index } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { RetryJob, RetryJobStep, RetryJobStore, FindRetries, FindRetryable } from '../domain/retries/retry-job';
import type { ExecutionRecord } from '../domain/state/execution';
import type { ExecutionModel } from './executions/execution-schema';
import { QUERIES } from './queries';

interface JobDocument extends Omit<RetryJob, 'id'> {
  readonly _id: string;
  readonly expireAt?: Date;
}

const text = { type: String, required: true };
const date = { type: Date, required: true };
const count = { type: Number, required: true };

const jobSchema = new Schema<JobDocument>(
  {
    _id: text,
    user: { type: new Schema({ userId: String, role: String }, { _id: false }), required: true },
    filter: {
      type: new Schema(
        { workflowId: String, status: String, reason: String, from: Date, to: Date, ownerId: String },
        { _id: false },
      ),
      required: true,
    },
    options: { type: new Schema({ from: String, version: String }, { _id: false }), required: true },
    state: text,
    matched: count,
    retried: count,
    refused: count,
    skipped: count,
    refusals: [{ _id: false, executionId: String, reason: String, message: String }],
    after: String,
    dueAt: Date,
    idempotencyKey: String,
    requestHash: text,
    createdAt: date,
    finishedAt: Date,
    expireAt: Date,
  },
  { collection: 'retryJobs', versionKey: false, strict: 'throw', autoIndex: false, autoCreate: false, id: false },
);

const jobModel = (connection: Connection): Model<JobDocument> => connection.model<JobDocument>('RetryJob', jobSchema);

/** Time for which a job is shown after its end. */
const SHOWN_MS = 14 * 24 * 3_600_000;

const INDEX = { due: 'due', key: 'key', expiry: 'expiry' } as const;

/** Indexes of the jobs. */
export const RETRY_JOB_INDEXES: readonly Index[] = [
  { name: INDEX.due, key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
  {
    name: INDEX.key,
    key: { idempotencyKey: 1 },
    unique: true,
    partialFilterExpression: { idempotencyKey: { $exists: true } },
  },
  { name: INDEX.expiry, key: { expireAt: 1 }, expireAfterSeconds: 0 },
];

const toJob = ({ _id, expireAt: _expireAt, ...rest }: JobDocument): RetryJob => ({ id: _id, ...rest });

const ended = (finishedAt: Date): object => ({ finishedAt, expireAt: new Date(finishedAt.getTime() + SHOWN_MS) });

const stepUpdate = ({ retried, refused, skipped, refusals, after, next }: RetryJobStep): object => ({
  $inc: { retried, refused, skipped },
  $set: { after, ...('dueAt' in next ? { dueAt: next.dueAt } : { state: 'done', ...ended(next.finishedAt) }) },
  ...(refusals.length === 0 ? {} : { $push: { refusals: trusted({ $each: [...refusals] }) } }),
  ...('dueAt' in next ? {} : { $unset: { dueAt: '' } }),
});

/** Jobs in MongoDB. */
export const createRetryJobStore = (connection: Connection): RetryJobStore => {
  const model = jobModel(connection);
  const findOne = async (filter: object): Promise<RetryJob | undefined> => {
    const found = await withStore(() => model.findOne(filter).lean<JobDocument>().exec());
    return found === null ? undefined : toJob(found);
  };
  const findByKey = (idempotencyKey: string): Promise<RetryJob | undefined> =>
    findOne({ idempotencyKey: trusted({ $exists: true, $eq: idempotencyKey }) });
  return {
    insert: async ({ id, ...rest }) => {
      try {
        await withStore(() => model.create({ _id: id, ...rest }));
        return undefined;
      } catch (error) {
        if (!isDuplicateKey(error) || rest.idempotencyKey === undefined) throw error;
        return findByKey(rest.idempotencyKey);
      }
    },
    find: (id) => findOne({ _id: id }),
    findByKey,
    page: async (afterId, limit, ofOneOwner = false) => {
      const filter = {
        ...(afterId === undefined ? {} : { _id: trusted({ $lt: afterId }) }),
        ...(ofOneOwner ? { 'filter.ownerId': trusted({ $exists: true }) } : {}),
      };
      return (
        await withStore(() =>
          model
            .find(filter, {}, { sort: { _id: -1 }, limit })
            .lean<JobDocument[]>()
            .exec(),
        )
      ).map(toJob);
    },
    countRunning: () => withStore(() => model.countDocuments({ dueAt: trusted({ $exists: true }) }).exec()),
    due: async (now, limit) => {
      const filter = { dueAt: trusted({ $exists: true, $lte: now }) };
      return (
        await withStore(() =>
          model
            .find(filter, {}, { sort: { dueAt: 1 }, hint: INDEX.due, limit })
            .lean<JobDocument[]>()
            .exec(),
        )
      ).map(toJob);
    },
    take: async (id, dueAt, until) =>
      (await withStore(() => model.updateOne({ _id: id, state: 'running', dueAt }, { $set: { dueAt: until } }).exec()))
        .matchedCount === 1,
    advance: async (id, after, step) => {
      await withStore(() => model.updateOne({ _id: id, state: 'running', after }, stepUpdate(step)).exec());
    },
    cancel: async (id, finishedAt) => {
      await withStore(() =>
        model
          .updateOne(
            { _id: id, state: 'running' },
            { $set: { state: 'cancelled', ...ended(finishedAt) }, $unset: { dueAt: '' } },
          )
          .exec(),
      );
    },
  };
};

/** Finds executions that a job must retry. */
export const createFindRetryable =
  (model: ExecutionModel): FindRetryable =>
  async (filter, after, most) => {
    const { filter: where, sort, index } = QUERIES.retryable(filter, after);
    const found = await withStore(() =>
      model.find(where, { _id: 1 }).sort(sort).hint(index).limit(most).lean<Pick<ExecutionRecord, '_id'>[]>().exec(),
    );
    return found.map(({ _id }) => _id);
  };

/** Finds the retries of executions. */
export const createFindRetries =
  (model: ExecutionModel): FindRetries =>
  async (executionIds) => {
    const retries = new Map<string, string[]>();
    if (executionIds.length === 0) return retries;
    const { filter, index } = QUERIES.retriesOf(executionIds);
    const found = await withStore(() =>
      model
        .find(filter, { retry: 1, idempotencyKey: 1 })
        .hint(index)
        .lean<Pick<ExecutionRecord, '_id' | 'retry' | 'idempotencyKey'>[]>()
        .exec(),
    );
    for (const { retry, idempotencyKey = '' } of found) {
      if (retry !== undefined) retries.set(retry.of, [...(retries.get(retry.of) ?? []), idempotencyKey]);
    }
    return retries;
  };
