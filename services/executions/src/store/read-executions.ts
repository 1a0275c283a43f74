import { gather } from '@weft/service-kit/batching';
import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../domain/execution';
import type { ReadExecution } from '../domain/ports';
import type { Snapshot } from '../domain/verdict';
import type { ReadProgress } from '../domain/waiters';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';
import { toRecord } from './stored-record';

const SNAPSHOT_FIELDS = { state: 1, fence: 1, checkpoint: 1, runCount: 1, inlineBytes: 1, dataBytes: 1, mark: 1, 'response.statusCode': 1, 'error.reason': 1 } as const;

type SnapshotFields = Pick<ExecutionRecord, '_id' | 'state' | 'fence' | 'checkpoint' | 'runCount' | 'inlineBytes' | 'dataBytes' | 'mark' | 'response' | 'error'>;

const toSnapshot = ({ response, error, ...rest }: SnapshotFields): Snapshot => ({
  ...rest,
  hasAnswer: response !== undefined,
  ...(error === undefined ? {} : { reason: error.reason }),
});

/** Reads what verdicts need, by id. */
export const readSnapshots = async (model: ExecutionModel, ids: readonly string[]): Promise<Map<string, Snapshot>> => {
  const found = await withStore(() => model.find(QUERIES.byIds(ids).filter, SNAPSHOT_FIELDS).lean<SnapshotFields[]>().exec());
  return new Map(found.map((document) => [document._id, toSnapshot(document)]));
};

/** Reads whole executions; reads that arrive together share one query. */
export const createReadExecution = (model: ExecutionModel): ReadExecution => {
  const read = gather<string, { readonly record?: ExecutionRecord }>({
    maxBatch: 100,
    concurrency: 8,
    maxQueued: 10_000,
    flush: async (ids) => {
      const found = await withStore(() => model.find(QUERIES.byIds([...new Set(ids)]).filter).lean<ExecutionRecord[]>().exec());
      const byId = new Map(found.map((document) => [document._id, { record: toRecord(document) }]));
      return ids.map((id) => byId.get(id) ?? {});
    },
  });
  return async (id) => (await read(id)).record;
};

const PROGRESS_FIELDS = { state: 1, turn: 1, 'response.statusCode': 1 } as const;

/** Reads what waiting calls look at. */
export const createReadProgress =
  (model: ExecutionModel): ReadProgress =>
  async (ids) => {
    const found = await withStore(() => model.find(QUERIES.byIds(ids).filter, PROGRESS_FIELDS).lean<Pick<ExecutionRecord, '_id' | 'state' | 'turn' | 'response'>[]>().exec());
    return new Map(found.map(({ _id, state, turn = 0, response }) => [_id, { state, turn, ...(response === undefined ? {} : { response }) }]));
  };
