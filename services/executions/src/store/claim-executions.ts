import { randomBytes } from 'node:crypto';
import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../domain/execution';
import type { ClaimExecutions } from '../domain/ports';
import { operatorsOf } from './apply-writes';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';
import { toRecord } from './stored-record';

/** One update over all ids, then one read of what carries the claim id; a repetition finds what the first call took. */
export const createClaimExecutions =
  (model: ExecutionModel): ClaimExecutions =>
  async (ids, claimId, write) => {
    const update = operatorsOf(write.update, randomBytes(9).toString('base64url'));
    await withStore(() => model.bulkWrite([{ updateMany: { filter: { _id: { $in: [...ids] }, ...write.filter }, update } }], { timestamps: false }));
    const held = await withStore(() => model.find(QUERIES.claimed(ids, claimId).filter).lean<ExecutionRecord[]>().exec());
    return held.map(toRecord);
  };
