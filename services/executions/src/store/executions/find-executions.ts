import { createBatcher } from '@weft/service-kit/batching';
import { withStore } from '@weft/service-kit/mongo';
import type { FindLiveChildren } from '../../domain/end/cancel-children';
import type { ExecutionRecord } from '../../domain/state/execution';
import { SHOWN_FIELDS, type FindPage, type PageFilter, type ShownExecution } from '../../domain/read/shown-executions';
import type { FindByToken, TokenHolder } from '../../domain/wait/find-wait';
import type { CountQueue } from '../../domain/start/queue-budget';
import type { QueueRow } from '../../domain/start/queue-ledger';
import type { FindByKey, FindStart, ReleaseKey } from '../../domain/start/start-execution';
import type { FindVersionsInUse } from '../../domain/read/find-referenced-versions';
import type { ExecutionModel } from './execution-schema';
import { isComparing, QUERIES, type Query } from '../queries';
import { toPendingWait, toStoredResponse } from './stored-record';

type Keyed = Pick<ExecutionRecord, '_id' | 'requestHash' | 'idempotencyKey'>;
type Holder = Awaited<ReturnType<FindByKey>>;

const toHolder = (found: Keyed | undefined): Holder =>
  found === undefined ? undefined : { executionId: found._id, requestHash: found.requestHash ?? '' };

/** Looks up many values in one query, which concurrent lookups share. */
const lookUp = (
  model: ExecutionModel,
  filterOf: (values: readonly string[]) => Query['filter'],
  valueOf: (found: Keyed) => string | undefined,
) => {
  const find = createBatcher<string, { readonly found?: Keyed }>({
    maxBatch: 500,
    concurrency: 4,
    maxQueued: 10_000,
    flush: async (values) => {
      const rows = await withStore(() =>
        model
          .find(filterOf([...new Set(values)]), { requestHash: 1, idempotencyKey: 1 })
          .lean<Keyed[]>()
          .exec(),
      );
      const byValue = new Map(rows.map((row) => [valueOf(row), { found: row }]));
      return values.map((value) => byValue.get(value) ?? {});
    },
  });
  return async (value: string): Promise<Holder> => toHolder((await find(value)).found);
};

/** Finds the execution with a dedupe key; concurrent lookups share one query. */
export const createFindByKey = (model: ExecutionModel): FindByKey =>
  lookUp(
    model,
    (keys) => QUERIES.byKeys(keys).filter,
    ({ idempotencyKey }) => idempotencyKey,
  );

/** Finds the start that an id was created for; concurrent lookups share one query. */
export const createFindStart = (model: ExecutionModel): FindStart =>
  lookUp(
    model,
    (ids) => QUERIES.byIds(ids).filter,
    ({ _id }) => _id,
  );

/** Frees the dedupe key of an execution; another one may have freed and taken it since. */
export const createReleaseKey =
  (model: ExecutionModel): ReleaseKey =>
  async (executionId, idempotencyKey) => {
    await withStore(() =>
      model.updateOne({ _id: executionId, idempotencyKey }, { $unset: { idempotencyKey: '' } }).exec(),
    );
  };

const HOLDER = {
  workflowId: 1,
  ownerId: 1,
  state: 1,
  generation: 1,
  wait: 1,
  hasWaited: 1,
  responseSeq: 1,
  response: 1,
} as const;

/** Finds the execution of a token. */
export const createFindByToken =
  (model: ExecutionModel): FindByToken =>
  async (tokenHash) => {
    const found = await withStore(() =>
      model.findOne(QUERIES.byToken(tokenHash).filter, HOLDER).lean<TokenHolder>().exec(),
    );
    if (found === null) return undefined;
    const { response, wait, ...rest } = found;
    return {
      ...rest,
      ...(wait === undefined ? {} : { wait: toPendingWait(wait) }),
      ...(response === undefined ? {} : { response: toStoredResponse(response) }),
    };
  };

/** Finds children that have not ended. */
export const createFindLiveChildren =
  (model: ExecutionModel): FindLiveChildren =>
  async (parentId, most) => {
    const { filter, index } = QUERIES.liveChildren(parentId);
    const found = await withStore(() =>
      model.find(filter, { _id: 1 }).hint(index).limit(most).lean<Pick<ExecutionRecord, '_id'>[]>().exec(),
    );
    return found.map(({ _id }) => _id);
  };

type QueueGroup = Pick<QueueRow, 'runs' | 'bytes'> & {
  readonly _id: Pick<QueueRow, 'ownerId' | 'workflowId' | 'mode'>;
};

/** Counts queued executions by owner, workflow and mode, in one pass with a maximum. */
export const createCountQueue =
  (model: ExecutionModel): CountQueue =>
  async (most) => {
    const by = { ownerId: '$ownerId', workflowId: '$workflowId', mode: '$mode' };
    const count = ({ filter, index }: Query) =>
      withStore(() =>
        model
          .aggregate<QueueGroup>([
            { $match: filter },
            { $limit: most },
            { $group: { _id: by, runs: { $sum: 1 }, bytes: { $sum: '$inputBytes' } } },
          ])
          .hint(index)
          .exec(),
      );
    const [queued, waiting] = await Promise.all([count(QUERIES.queued()), count(QUERIES.waitingForSlots(''))]);
    return [
      ...queued.map(({ _id, ...use }) => ({ ..._id, ...use })),
      ...waiting.map(({ _id, ...use }) => ({ ..._id, ...use, waitsForSlot: true as const })),
    ];
  };

const SHOWN = Object.fromEntries(SHOWN_FIELDS.map((field) => [field, 1] as const));

/** Maximum number of executions scanned for a page: millions of the newest may not match. */
const MAX_LOOKED_AT = 5_000;

/** Reads pages of executions by the driver: mongoose's query adds a seventh to the CPU time here. */
export const createReadPage = (model: ExecutionModel): FindPage => {
  const find = (filter: PageFilter, limit: number): Promise<ShownExecution[]> => {
    const { filter: where, sort, index } = QUERIES.page(filter);
    return withStore(() =>
      model.collection.find<ShownExecution>(where, { projection: SHOWN, sort, hint: index, limit }).toArray(),
    );
  };
  /** The id with which a section of the list ends; undefined if the list ends before. */
  const endOfStretch = (filter: PageFilter): Promise<string | undefined> => {
    const { filter: where, sort, index } = QUERIES.stretch(filter);
    const options = { projection: { _id: 1 }, sort, hint: index, skip: MAX_LOOKED_AT - 1, limit: 1 } as const;
    return withStore(
      async () => (await model.collection.find<Pick<ShownExecution, '_id'>>(where, options).toArray())[0]?._id,
    );
  };
  return async (filter, limit) => {
    if (!isComparing(filter)) return find(filter, limit);
    const from = await endOfStretch(filter);
    if (from === undefined) return find(filter, limit);
    const items = await find({ ...filter, from }, limit);
    return items.length === limit ? items : { items, lastId: from };
  };
};

interface Found {
  /** Null: versions that were not requested. */
  readonly _id: string | null;
  readonly runs: number;
}

/** Finds versions among the executions of a workflow, in one pass over its index. */
export const createFindVersionsInUse =
  (model: ExecutionModel): FindVersionsInUse =>
  async (workflowId, versionIds, most) => {
    const { filter, index } = QUERIES.needingVersions(workflowId);
    const askedFor = { $cond: [{ $in: ['$versionId', [...versionIds]] }, '$versionId', null] };
    const stages = [{ $match: filter }, { $limit: most }, { $group: { _id: askedFor, runs: { $sum: 1 } } }];
    const groups = await withStore(() => model.aggregate<Found>(stages).hint(index).exec());
    const scanned = groups.reduce((sum, { runs }) => sum + runs, 0);
    return { versionIds: new Set(groups.flatMap(({ _id }) => _id ?? [])), isPartial: scanned >= most };
  };
