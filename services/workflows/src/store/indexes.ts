import { AUDIT_INDEXES } from '@weft/service-kit/audit';
import { IDEMPOTENCY_COLLECTION, IDEMPOTENCY_INDEXES } from '@weft/service-kit/idempotency';
import type { Index, Schema } from '@weft/service-kit/mongo';
import { APP_INDEXES, APPS_COLLECTION } from './app-store';
import { BACKFILL_INDEXES } from './schedules/backfill-store';
import { DELIVERY_INDEXES } from './deliveries/delivery-store';
import { FILE_AREA_INDEXES, FILE_CHUNK_INDEXES } from './file-area-store';
import { HOOKS } from './hooks/hook-schema';
import { HOOK_INDEXES } from './hooks/hook-store';
import { LISTENING_INDEXES, LISTENINGS } from './listening-store';
import { VERSION_INDEXES, WORKFLOW_INDEXES } from './queries';
import { ROW_INDEXES } from './data-tables/row-queries';
import { STATE_INDEXES } from './state-store';

/** Every index except `_id`, by collection. */
export const INDEXES: Readonly<Record<string, readonly Index[]>> = {
  audit: AUDIT_INDEXES,
  [IDEMPOTENCY_COLLECTION]: IDEMPOTENCY_INDEXES,
  workflows: WORKFLOW_INDEXES,
  versions: VERSION_INDEXES,
  [APPS_COLLECTION]: APP_INDEXES,
  backfills: BACKFILL_INDEXES,
  deliveries: DELIVERY_INDEXES,
  [LISTENINGS]: LISTENING_INDEXES,
  [HOOKS]: HOOK_INDEXES,
  state: STATE_INDEXES,
  fileAreas: FILE_AREA_INDEXES,
  fileChunks: FILE_CHUNK_INDEXES,
  variables: [{ key: { key: 1 }, name: 'key', unique: true }],
  dataTables: [{ key: { name: 1 }, name: 'name', unique: true }],
  dataTableRows: ROW_INDEXES,
  dataTableDeletions: [{ key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 }],
};

/** Requirements of this service on its database. */
export const SCHEMA: Schema = { indexes: INDEXES };
