import { AUDIT_INDEXES } from '@weft/service-kit/audit';
import { IDEMPOTENCY_COLLECTION, IDEMPOTENCY_INDEXES } from '@weft/service-kit/idempotency';
import type { Schema } from '@weft/service-kit/mongo';
import { executionIndexes } from './executions/execution-indexes';
import { FENCE_INDEXES } from './queue/fence-store';
import { NOTIFICATION_INDEXES } from './notification-store';
import { OWNED_INDEXES } from './executions/owned-rows';
import { QUARANTINE_INDEXES } from './queue/quarantine-store';
import { RESTORE_INDEXES } from './restore-store';
import { RETENTION_INDEXES } from './retention-rules';
import { TOKEN_WINDOW_INDEXES } from './token-window-store';
import { RETRY_JOB_INDEXES } from './retry-job-store';

/** Database requirements of this service. */
export const SCHEMA: Schema = {
  indexes: {
    audit: AUDIT_INDEXES,
    executions: executionIndexes,
    executionChunks: OWNED_INDEXES,
    executionSegments: OWNED_INDEXES,
    [IDEMPOTENCY_COLLECTION]: IDEMPOTENCY_INDEXES,
    modelTokenWindows: TOKEN_WINDOW_INDEXES,
    notifications: NOTIFICATION_INDEXES,
    quarantinedVersions: QUARANTINE_INDEXES,
    queueRestores: RESTORE_INDEXES,
    retentionRules: RETENTION_INDEXES,
    retryJobs: RETRY_JOB_INDEXES,
    spentFences: FENCE_INDEXES,
  },
};
