import { withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { Clock } from '../domain/ports';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

const { trusted } = mongoose;

/** Makes every queued execution due for publication, except those whose back-off is not over. */
export const createMakeAllDue =
  (executions: ExecutionModel, clock: Clock) =>
  async (): Promise<void> => {
    const now = new Date(clock());
    const due = new Date(now.getTime() - 1);
    const filter = { ...QUERIES.queued().filter, notBefore: trusted({ $not: trusted({ $gt: now }) }) };
    await withStore(() => executions.updateMany(filter, { $set: { publishAt: due } }).exec());
  };
