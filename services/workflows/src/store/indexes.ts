import { AUDIT_INDEXES } from '@weft/service-kit/audit';
import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import { BACKFILL_INDEXES } from './backfill-store';
import { DELIVERY_INDEXES } from './delivery-store';
import { FILE_AREA_INDEXES, FILE_CHUNK_INDEXES } from './file-area-store';
import { VERSION_INDEXES, WORKFLOW_INDEXES } from './queries';
import { ROW_INDEXES } from './row-queries';
import { STATE_INDEXES } from './state-store';

interface Index {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly name: string;
  readonly unique?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
}

/** Every index besides `_id`, by collection. */
export const INDEXES: Readonly<Record<string, readonly Index[]>> = {
  audit: AUDIT_INDEXES,
  workflows: WORKFLOW_INDEXES,
  versions: VERSION_INDEXES,
  backfills: BACKFILL_INDEXES,
  deliveries: DELIVERY_INDEXES,
  state: STATE_INDEXES,
  fileAreas: FILE_AREA_INDEXES,
  fileChunks: FILE_CHUNK_INDEXES,
  variables: [{ key: { key: 1 }, name: 'key', unique: true }],
  dataTables: [{ key: { name: 1 }, name: 'name', unique: true }],
  dataTableRows: ROW_INDEXES,
  dataTableDeletions: [{ key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 }],
};

/** Makes the indexes that are missing. Several replicas may do so at once. */
export const createIndexes = async (connection: Connection): Promise<void> => {
  await Promise.all(
    Object.entries(INDEXES).map(([collection, indexes]) =>
      withStore(() =>
        connection.collection(collection).createIndexes(indexes.map((index) => ({ ...index, key: { ...index.key } }))),
      ),
    ),
  );
};
