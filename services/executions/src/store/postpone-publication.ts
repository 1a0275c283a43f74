import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { PostponePublication } from '../domain/sweep-ports';
import type { ExecutionModel } from './execution-schema';
import { QUERIES, type Query } from './queries';

const { trusted } = mongoose;

/** By one write for all of them: none of their generations changes, and a claim that comes first wins. */
export const createPostponePublication =
  (executions: ExecutionModel): PostponePublication =>
  async (ids, now, next) => {
    const filter: Query['filter'] = { ...QUERIES.byIds(ids).filter, state: 'queued', publishAt: trusted({ $lt: now }) };
    await withStore(() =>
      executions.updateMany(filter, { $set: { publishAt: next }, $inc: { republished: 1 } }).exec(),
    );
  };
