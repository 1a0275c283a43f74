import { createBatcher } from '@weft/service-kit/batching';
import { Unavailable } from '@weft/service-kit/errors';
import { inKeyOrder, insertRows, withStore } from '@weft/service-kit/mongo';
import { dataBytesOf, type ExecutionRecord } from '../../domain/state/execution';
import type { InsertExecution, InsertOutcome } from '../../domain/state/ports';
import { isDuplicateRow, sendRows } from './bulk';
import { confirmRefusals, insertWitness } from './confirm-refusals';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';

type Known = Pick<ExecutionRecord, '_id' | 'idempotencyKey' | 'requestHash' | 'exclusiveKey' | 'batchId'>;

/**
 * Existing rows that refused ones collided with: an execution with the same dedupe or mutex key, or the same row sent
 * before.
 */
const readHolders = (model: ExecutionModel, records: readonly ExecutionRecord[]): Promise<Known[]> => {
  const keys = records.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const byId = QUERIES.byIds(records.map(({ _id }) => _id)).filter;
  const mutexKeys = records.flatMap(({ exclusiveKey }) => exclusiveKey ?? []);
  const filters = [
    byId,
    ...(keys.length === 0 ? [] : [QUERIES.byKeys(keys).filter]),
    ...(mutexKeys.length === 0 ? [] : [QUERIES.byMutexKeys(mutexKeys).filter]),
  ];
  return withStore(async () => {
    const found = await Promise.all(
      filters.map((filter) =>
        model.find(filter, { idempotencyKey: 1, requestHash: 1, exclusiveKey: 1, batchId: 1 }).lean<Known[]>().exec(),
      ),
    );
    return found.flat();
  });
};

/**
 * True if a stored row is that of this very start: sent by this process before, or by another replica that its caller
 * asked first.
 */
const isSame = (stored: Known, record: ExecutionRecord): boolean =>
  stored.idempotencyKey === record.idempotencyKey && stored.requestHash === record.requestHash;

const outcomeOf = (record: ExecutionRecord, holders: readonly Known[]): InsertOutcome | Error => {
  const same = holders.find(({ _id }) => _id === record._id);
  // The same insert, repeated after its response was lost.
  if (same?.batchId !== undefined && same.batchId === record.batchId) return { kind: 'inserted' };
  if (same !== undefined) return isSame(same, record) ? { kind: 'inserted', isRepeated: true } : { kind: 'id-taken' };
  const holder = holders.find(
    ({ idempotencyKey }) => idempotencyKey !== undefined && idempotencyKey === record.idempotencyKey,
  );
  if (holder !== undefined) return { kind: 'known', executionId: holder._id, requestHash: holder.requestHash ?? '' };
  const live = holders.find(({ exclusiveKey }) => exclusiveKey !== undefined && exclusiveKey === record.exclusiveKey);
  if (live !== undefined) return { kind: 'overlaps', executionId: live._id };
  return new Unavailable('The execution that holds this key was just deleted, or has just ended. Try again.');
};

const insertAll = async (
  model: ExecutionModel,
  records: readonly ExecutionRecord[],
): Promise<(InsertOutcome | Error)[]> => {
  const refused = await sendRows(records, (rows) => insertRows(model.db.db, model.collection.name, rows));
  const isDuplicate = (index: number): boolean => isDuplicateRow(refused.get(index));
  const duplicates = records.filter((_, index) => isDuplicate(index));
  const holders = duplicates.length === 0 ? [] : await readHolders(model, duplicates);
  return records.map((record, index) =>
    isDuplicate(index) ? outcomeOf(record, holders) : (refused.get(index) ?? { kind: 'inserted' }),
  );
};

/** Outcome of a record whose key another record of the same batch has. */
const afterFirst = (first: ExecutionRecord, outcome: InsertOutcome | Error): InsertOutcome | Error =>
  outcome instanceof Error || outcome.kind !== 'inserted'
    ? outcome
    : { kind: 'known', executionId: first._id, requestHash: first.requestHash ?? '' };

/** Fields that are equal in all records of one start. */
const keyOf = ({ _id, idempotencyKey }: ExecutionRecord): string => idempotencyKey ?? _id;

/**
 * Only the first of several records with one key is sent: stores are slow when many rows of a batch compete for one
 * key.
 */
const flush =
  (model: ExecutionModel) =>
  async (records: readonly ExecutionRecord[]): Promise<(InsertOutcome | Error)[]> => {
    const firsts = new Map<string, ExecutionRecord>();
    for (const record of records) if (!firsts.has(keyOf(record))) firsts.set(keyOf(record), record);
    const sent = inKeyOrder([...firsts.values()], keyOf);
    const outcomes = await insertAll(model, sent);
    const outcomeById = new Map(
      sent.map(({ _id }, index) => [_id, outcomes[index] ?? new Error('An insert has no outcome.')]),
    );
    return records.map((record) => {
      const first = firsts.get(keyOf(record)) ?? record;
      const outcome = outcomeById.get(first._id) ?? new Error('An insert has no outcome.');
      return first === record ? outcome : afterFirst(first, outcome);
    });
  };

/** Maximum bytes of one batch, below the 16 MiB of a command of the store. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Maximum bytes that wait for their insert in this process; further starts are refused at once. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Bytes of a document besides its data. */
const BASE_BYTES = 1_024;

const bytesOf = (record: ExecutionRecord): number => BASE_BYTES + dataBytesOf(record);

/** Fields by which the retention of records deletes a witness that was left over. */
const witnessFields = () => ({ deletedAt: new Date(), expireAt: new Date(), postRunActions: [] });

/**
 * Inserts executions by group commit. A row whose dedupe key is taken returns the holder; the other rows are inserted.
 */
export const createInsertExecution = (model: ExecutionModel): InsertExecution =>
  confirmRefusals(
    createBatcher<ExecutionRecord, InsertOutcome>({
      flush: flush(model),
      maxBatch: 500,
      concurrency: 2,
      maxQueued: 20_000,
      weight: { of: bytesOf, max: MAX_BATCH_BYTES, maxHeld: MAX_HELD_BYTES },
    }),
    insertWitness(model, model.collection.name, witnessFields),
  );
