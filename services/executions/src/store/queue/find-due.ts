import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import { SHOWN_FIELDS, type EndedExecution, type ExecutionRecord } from '../../domain/state/execution';
import type { FindDue, PostponePublication } from '../../domain/read/sweep-ports';
import type { ExecutionModel } from '../executions/execution-schema';
import { QUERIES, type Query } from '../queries';
import { projectionOf } from '../executions/read-executions';

const SWEPT = {
  ownerId: 1,
  fence: 1,
  generation: 1,
  republished: 1,
  wait: 1,
  publishAt: 1,
  notBefore: 1,
  runsAlone: 1,
  deadlineAt: 1,
  retentionMs: 1,
} as const;

const HELD = {
  versionId: 1,
  fence: 1,
  actedFence: 1,
  lease: 1,
  generation: 1,
  crashes: 1,
  runsAlone: 1,
  suspicion: 1,
  deathsAlone: 1,
  nodeRunCount: 1,
  runsAtCrash: 1,
  crashPolicy: 1,
  retentionMs: 1,
} as const;

const FOLLOWED = projectionOf([...SHOWN_FIELDS, 'postRunActions', 'concurrency']);

/** Finds due work of the sweeper, the longest overdue first. */
export const createFindDue = (model: ExecutionModel): FindDue => {
  const find = async ({ filter, sort, index }: Query, limit: number) =>
    withStore(() =>
      model
        .find(filter, SWEPT)
        .sort(sort)
        .hint(index)
        .limit(limit)
        .lean<Pick<ExecutionRecord, '_id' | keyof typeof SWEPT>[]>()
        .exec(),
    );
  return {
    running: (most) => {
      const { filter, sort, index } = QUERIES.running();
      return withStore(() =>
        model
          .find(filter, HELD)
          .sort(sort)
          .hint(index)
          .limit(most)
          .lean<Pick<ExecutionRecord, '_id' | keyof typeof HELD>[]>()
          .exec(),
      );
    },
    pastDeadline: (now, most) => find(QUERIES.pastDeadline(now), most),
    dueWaits: (now, most) => find(QUERIES.dueWaits(now), most),
    unclaimed: (now, most) => find(QUERIES.unclaimed(now), most),
    queuedAfter: (after, most) => find(QUERIES.queuedAfter(after), most),
    dueCompletionHooks: (now, most) => {
      const { filter, index } = QUERIES.dueCompletionHooks(now);
      return withStore(() => model.find(filter, FOLLOWED).hint(index).limit(most).lean<EndedExecution[]>().exec());
    },
  };
};

const { trusted } = mongoose;

/** One write for all of them: their generations do not change, and a concurrent claim wins. */
export const createPostponePublication =
  (executions: ExecutionModel): PostponePublication =>
  async (ids, now, next) => {
    const filter: Query['filter'] = { ...QUERIES.byIds(ids).filter, state: 'queued', publishAt: trusted({ $lt: now }) };
    await withStore(() =>
      executions.updateMany(filter, { $set: { publishAt: next }, $inc: { republished: 1 } }).exec(),
    );
  };
