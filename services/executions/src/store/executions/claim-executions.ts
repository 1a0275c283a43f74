import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../../domain/state/execution';
import type { ClaimExecutions, ClaimWrites, FindHeldBack } from '../../domain/state/ports';
import type { Write } from '../../domain/state/write';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';
import { toRecord } from './stored-record';
import { toFilter, toFilterOfMany, toUpdate } from './to-update';

/** A filter built by this service, where operators must be marked as trusted. */
const withTrustedOperators = (filter: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter).map(([path, condition]) => [
      path,
      isOperator(condition) ? mongoose.trusted({ ...condition }) : condition,
    ]),
  );

const isOperator = (condition: unknown): condition is object =>
  typeof condition === 'object' && condition !== null && !(condition instanceof Date);

/** Executions that this attempt of the claim holds. */
const readHeld = async (
  model: ExecutionModel,
  ids: readonly string[],
  { claimId, attempt }: ClaimWrites,
): Promise<ExecutionRecord[]> => {
  const held = await withStore(() =>
    model
      .find(QUERIES.claimed(ids, claimId, attempt).filter)
      .lean<ExecutionRecord[]>()
      .exec(),
  );
  return held.map(toRecord);
};

const takeOne = async (
  model: ExecutionModel,
  id: string,
  write: Write,
  batchId: string,
): Promise<ExecutionRecord | undefined> => {
  const filter = withTrustedOperators(toFilter(id, write));
  const taken = await withStore(() =>
    model
      .findOneAndUpdate(filter, toUpdate(write, batchId), { returnDocument: 'after', timestamps: false })
      .lean<ExecutionRecord | null>()
      .exec(),
  );
  return taken === null ? undefined : toRecord(taken);
};

/**
 * One update over all ids, then one read of what the claim holds; a single id is claimed and read in one call. A
 * repetition takes over the executions of earlier attempts.
 */
export const createClaimExecutions =
  (model: ExecutionModel): ClaimExecutions =>
  async (ids, claim) => {
    const batchId = randomBytes(9).toString('base64url');
    const [id] = ids;
    if (ids.length === 1 && id !== undefined) {
      const taken = (await takeOne(model, id, claim.take, batchId)) ?? (await takeOne(model, id, claim.renew, batchId));
      return taken === undefined ? [] : [taken];
    }
    const writes = claim.attempt === 0 ? [claim.take] : [claim.take, claim.renew];
    await withStore(() =>
      model.bulkWrite(
        writes.map((write) => ({
          updateMany: { filter: toFilterOfMany(ids, write), update: toUpdate(write, batchId) },
        })),
        { timestamps: false },
      ),
    );
    return readHeld(model, ids, claim);
  };

/**
 * Finds why queued executions were not claimed. One with an unknown state version is not reported for isolation either.
 */
export const createFindHeldBack =
  (model: ExecutionModel): FindHeldBack =>
  async (ids, engineStateVersions) => {
    const found = await withStore(() =>
      model
        .find(QUERIES.heldBack(ids, engineStateVersions).filter, { engineStateVersion: 1 })
        .lean<Pick<ExecutionRecord, '_id' | 'engineStateVersion'>[]>()
        .exec(),
    );
    const isKnown = (version: number | undefined): boolean =>
      version === undefined || engineStateVersions.includes(version);
    return found.map(({ _id, engineStateVersion }) => ({
      id: _id,
      why: isKnown(engineStateVersion) ? 'isolated' : 'unreadable',
    }));
  };
