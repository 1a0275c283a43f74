import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../domain/execution';
import type { ClaimExecutions } from '../domain/ports';
import { operatorsOf } from './apply-writes';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';
import { toRecord } from './stored-record';

/** A filter of our own making for a query, where operators have to be vouched for. */
const withTrustedOperators = (filter: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filter).map(([path, condition]) => [path, isOperator(condition) ? mongoose.trusted({ ...condition }) : condition]));

const isOperator = (condition: unknown): condition is object => typeof condition === 'object' && condition !== null && !(condition instanceof Date);

/** What carries the claim id. */
const readHeld = async (model: ExecutionModel, ids: readonly string[], claimId: string): Promise<ExecutionRecord[]> => {
  const held = await withStore(() => model.find(QUERIES.claimed(ids, claimId).filter).lean<ExecutionRecord[]>().exec());
  return held.map(toRecord);
};

/**
 * One update over all ids, then one read of what carries the claim id; a single id is taken and read in one call. A
 * repetition finds what the first call took.
 */
export const createClaimExecutions =
  (model: ExecutionModel): ClaimExecutions =>
  async (ids, claimId, write) => {
    const update = operatorsOf(write.update, randomBytes(9).toString('base64url'));
    const [id] = ids;
    if (ids.length === 1 && id !== undefined) {
      const taken = await withStore(() => model.findOneAndUpdate({ _id: id, ...withTrustedOperators(write.filter) }, update, { returnDocument: 'after', timestamps: false }).lean<ExecutionRecord | null>().exec());
      return taken === null ? readHeld(model, ids, claimId) : [toRecord(taken)];
    }
    await withStore(() => model.bulkWrite([{ updateMany: { filter: { _id: { $in: [...ids] }, ...write.filter }, update } }], { timestamps: false }));
    return readHeld(model, ids, claimId);
  };
