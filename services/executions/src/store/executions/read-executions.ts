import { createBatcher } from '@weft/service-kit/batching';
import { withStore } from '@weft/service-kit/mongo';
import {
  HELD_FIELDS,
  SINGLE_FIELDS,
  type ExecutionRecord,
  type HeldExecution,
  type SingleExecution,
} from '../../domain/state/execution';
import type { ReadShown } from '../../domain/read/shown-executions';
import type { ReadExecution, ReadHeld } from '../../domain/state/ports';
import type { ReadTail, Tail } from '../../domain/data/segment-log';
import type { Snapshot } from '../../domain/state/write-outcome';
import type { ReadProgress } from '../../domain/wait/waiters';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';
import { segmentOf, toPendingWait, toRecord } from './stored-record';

const SNAPSHOT_FIELDS = {
  deadlineRenews: 1,
  retentionMs: 1,
  versionId: 1,
  failedRun: 1,
  state: 1,
  fence: 1,
  checkpoint: 1,
  nodeRunCount: 1,
  inlineBytes: 1,
  dataBytes: 1,
  batchId: 1,
  'response.statusCode': 1,
  'error.reason': 1,
} as const;

type SnapshotFields = Pick<
  ExecutionRecord,
  | 'deadlineRenews'
  | 'retentionMs'
  | 'versionId'
  | 'failedRun'
  | '_id'
  | 'state'
  | 'fence'
  | 'checkpoint'
  | 'nodeRunCount'
  | 'inlineBytes'
  | 'dataBytes'
  | 'batchId'
  | 'response'
  | 'error'
>;

const toSnapshot = ({ response, error, ...rest }: SnapshotFields): Snapshot => ({
  ...rest,
  hasResponse: response !== undefined,
  ...(error === undefined ? {} : { reason: error.reason }),
});

/** Reads the fields that outcomes need, by id. */
export const readSnapshots = async (model: ExecutionModel, ids: readonly string[]): Promise<Map<string, Snapshot>> => {
  const found = await withStore(() =>
    model.find(QUERIES.byIds(ids).filter, SNAPSHOT_FIELDS).lean<SnapshotFields[]>().exec(),
  );
  return new Map(found.map((document) => [document._id, toSnapshot(document)]));
};

/** Reads executions that are not deleted by id; concurrent reads share one query. */
export const batchedReads = <Document extends Pick<ExecutionRecord, '_id'>>(
  query: (ids: readonly string[]) => Promise<readonly (Document & Pick<ExecutionRecord, 'deletedAt'>)[]>,
): ((id: string) => Promise<Document | undefined>) => {
  const read = createBatcher<string, { readonly document?: Document }>({
    maxBatch: 100,
    concurrency: 8,
    maxQueued: 10_000,
    flush: async (ids) => {
      const found = await withStore(() => query([...new Set(ids)]));
      const byId = new Map(
        found.filter(({ deletedAt }) => deletedAt === undefined).map((document) => [document._id, { document }]),
      );
      return ids.map((id) => byId.get(id) ?? {});
    },
  });
  return async (id) => (await read(id)).document;
};

/** Projection of these paths, and of the mark of deleted executions. */
export const projectionOf = (fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries([...fields, 'deletedAt'].map((field) => [field, 1] as const));

/** Reads whole executions. */
export const createReadExecution = (model: ExecutionModel): ReadExecution =>
  batchedReads(async (ids) =>
    (await model.find(QUERIES.byIds(ids).filter).lean<ExecutionRecord[]>().exec()).map(toRecord),
  );

const HELD = projectionOf(HELD_FIELDS);

/** Reads the holders of executions. */
export const createReadHeld = (model: ExecutionModel): ReadHeld =>
  batchedReads((ids) => model.find(QUERIES.byIds(ids).filter, HELD).lean<HeldExecution[]>().exec());

const SINGLE = projectionOf(SINGLE_FIELDS);

/** Reads the public part of single executions. */
export const createReadShown = (model: ExecutionModel): ReadShown =>
  batchedReads(async (ids) =>
    (await model.find(QUERIES.byIds(ids).filter, SINGLE).lean<SingleExecution[]>().exec()).map(({ wait, ...rest }) => ({
      ...rest,
      ...(wait === undefined ? {} : { wait: toPendingWait(wait) }),
    })),
  );

const TAIL = projectionOf(['state', 'fence', 'checkpoint', 'nodeRunCount', 'manifest', 'log']);

/** Reads the tail of runs. */
export const createReadTail = (model: ExecutionModel): ReadTail =>
  batchedReads(async (ids) =>
    (await model.find(QUERIES.byIds(ids).filter, TAIL).lean<Tail[]>().exec()).map(({ manifest, ...rest }) => ({
      ...rest,
      manifest: manifest.map(segmentOf),
    })),
  );

const PROGRESS_FIELDS = { deletedAt: 1, state: 1, responseSeq: 1, 'response.statusCode': 1 } as const;

/** Reads the progress that waiting calls poll. */
export const createReadProgress =
  (model: ExecutionModel): ReadProgress =>
  async (ids) => {
    const found = await withStore(() =>
      model
        .find(QUERIES.byIds(ids).filter, PROGRESS_FIELDS)
        .lean<Pick<ExecutionRecord, '_id' | 'state' | 'responseSeq' | 'response' | 'deletedAt'>[]>()
        .exec(),
    );
    const shown = found.filter(({ deletedAt }) => deletedAt === undefined);
    return new Map(
      shown.map(({ _id, state, responseSeq = 0, response }) => [
        _id,
        { state, responseSeq, ...(response === undefined ? {} : { response }) },
      ]),
    );
  };
