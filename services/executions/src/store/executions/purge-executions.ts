import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { ChunkStore } from '../../domain/data/chunks';
import type { ExecutionRecord } from '../../domain/state/execution';
import type { Expired, FindExpired, FindLiveFamilies, RemoveExecutions } from '../../domain/data/purge';
import type { SegmentLog } from '../../domain/data/segment-log';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';

const { trusted } = mongoose;

/** Finds executions to be deleted. */
export const createFindExpired =
  (model: ExecutionModel): FindExpired =>
  (now, most) => {
    const { filter, sort, index } = QUERIES.expiredRecords(now);
    return withStore(() =>
      model
        .find(filter, { parent: 1, postRunActions: 1, expireAt: 1, deletedAt: 1, finishedAt: 1 })
        .sort(sort)
        .hint(index)
        .limit(most)
        .lean<Expired[]>()
        .exec(),
    );
  };

/** Finds call chains that still run. */
export const createFindLiveFamilies =
  (model: ExecutionModel): FindLiveFamilies =>
  async (rootIds) => {
    if (rootIds.length === 0) return new Set();
    const [roots, called] = await withStore(() =>
      Promise.all([
        model.find(QUERIES.liveRoots(rootIds).filter, { _id: 1 }).lean<Pick<ExecutionRecord, '_id'>[]>().exec(),
        model.distinct('parent.rootId', QUERIES.liveOfFamilies(rootIds).filter).exec(),
      ]),
    );
    return new Set([...roots.map(({ _id }) => _id), ...called.map(String)]);
  };

/** Deletes executions. */
export const createRemoveExecutions =
  (model: ExecutionModel, chunks: ChunkStore, log: SegmentLog): RemoveExecutions =>
  async (executionIds) => {
    if (executionIds.length === 0) return;
    await Promise.all([chunks.deleteAll(executionIds), log.deleteAll(executionIds)]);
    await withStore(() => model.deleteMany({ _id: trusted({ $in: [...executionIds] }) }).exec());
  };
