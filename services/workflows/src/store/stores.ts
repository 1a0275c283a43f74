import type { Connection } from 'mongoose';
import { createAppStore } from './app-store';
import { createBackfillStore } from './schedules/backfill-store';
import { createConversationStore } from './conversation-store';
import { createDataTableStore } from './data-tables/data-table-store';
import { createDeliveryStore } from './deliveries/delivery-store';
import { createOwnershipStore } from './workflows/ownership-store';
import { createFileAreaStore } from './file-area-store';
import { createHookStore } from './hooks/hook-store';
import { createListeningStore } from './listening-store';
import { createRowStore } from './data-tables/row-store';
import { createScheduleStore } from './schedules/schedule-store';
import { createStateStore } from './state-store';
import { createVariableStore } from './variable-store';
import { createVersionReviews, createVersionStore } from './workflows/version-store';
import { createWorkflowStore } from './workflows/workflow-store';

/** Creates all stores on one connection. */
export const createStores = (connection: Connection) => ({
  apps: createAppStore(connection),
  workflows: createWorkflowStore(connection),
  versions: createVersionStore(connection),
  reviews: createVersionReviews(connection),
  schedules: createScheduleStore(connection),
  backfills: createBackfillStore(connection),
  deliveries: createDeliveryStore(connection),
  listenings: createListeningStore(connection),
  ownership: createOwnershipStore(connection),
  variables: createVariableStore(connection),
  tables: createDataTableStore(connection),
  rows: createRowStore(connection),
  state: createStateStore(connection),
  conversations: createConversationStore(connection),
  fileAreas: createFileAreaStore(connection),
  hooks: createHookStore(connection),
});

export type Stores = ReturnType<typeof createStores>;
