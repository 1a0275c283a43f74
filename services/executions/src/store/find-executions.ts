import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { ExecutionRecord } from '../domain/execution';
import type { FindByKey } from '../domain/start-execution';
import type { ExecutionModel } from './execution-schema';

const { trusted } = mongoose;

/** A field that a partial index is made of must be asked for. */
const exists = { $exists: true };

/** Finds the execution that holds a dedupe key. */
export const createFindByKey =
  (model: ExecutionModel): FindByKey =>
  async (dedupeKey) => {
    const found = await withStore(() =>
      model.findOne({ dedupeKey: trusted({ $eq: dedupeKey, ...exists }) }, { requestHash: 1 }).lean<Pick<ExecutionRecord, '_id' | 'requestHash'>>().exec());
    return found === null ? undefined : { executionId: found._id, requestHash: found.requestHash ?? '' };
  };

/** Counts queued executions, up to a bound. */
export const createCountQueued =
  (model: ExecutionModel) =>
  (upTo: number): Promise<number> =>
    withStore(() => model.countDocuments({ state: 'queued', publishAt: trusted(exists) }, { limit: upTo }).exec());
