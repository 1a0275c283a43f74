import type { ErrorKind } from '@weft/service-kit/errors';

/**
 * Reasons of REST API errors, with their kinds. docs/errors.md describes all reasons; those that occur only in
 * services, webhooks or the console are not listed here.
 */
export const REASONS = {
  INVALID_REQUEST: 'invalid',
  WORKFLOW_NOT_RUNNABLE: 'invalid',
  UNAUTHORIZED: 'unauthenticated',
  FORBIDDEN: 'forbidden',
  CREDENTIAL_NOT_GRANTED: 'forbidden',
  WORKFLOW_NOT_FOUND: 'not-found',
  VERSION_NOT_FOUND: 'not-found',
  EXECUTION_NOT_FOUND: 'not-found',
  NODE_RUN_NOT_FOUND: 'not-found',
  RETRY_JOB_NOT_FOUND: 'not-found',
  EVENT_SUBSCRIPTION_NOT_FOUND: 'not-found',
  NOTIFICATION_NOT_FOUND: 'not-found',
  BACKFILL_NOT_FOUND: 'not-found',
  DELIVERY_NOT_FOUND: 'not-found',
  NODE_TYPE_NOT_FOUND: 'not-found',
  CREDENTIAL_NOT_FOUND: 'not-found',
  CREDENTIAL_TYPE_NOT_FOUND: 'not-found',
  API_KEY_NOT_FOUND: 'not-found',
  DATA_TABLE_NOT_FOUND: 'not-found',
  VARIABLE_NOT_FOUND: 'not-found',
  WEBHOOK_PATH_TAKEN: 'conflict',
  WORKFLOW_KEY_TAKEN: 'conflict',
  EXECUTION_NOT_FINISHED: 'conflict',
  RETRY_NOT_POSSIBLE: 'conflict',
  REUSE_NOT_POSSIBLE: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  RESPONSE_NOT_REPEATED: 'conflict',
  TOO_MANY_IDEMPOTENCY_KEYS: 'limited',
  CREDENTIAL_BUSY: 'conflict',
  CREDENTIAL_IN_USE: 'precondition',
  CREDENTIAL_TYPE_MISMATCH: 'precondition',
  GRANT_NOT_FOUND: 'not-found',
  TOO_MANY_GRANTS: 'precondition',
  CREDENTIAL_FILE_UNUSABLE: 'precondition',
  DATA_TABLE_NAME_TAKEN: 'conflict',
  VARIABLE_KEY_TAKEN: 'conflict',
  USER_EXISTS: 'conflict',
  USER_NOT_FOUND: 'not-found',
  USER_BUSY: 'conflict',
  LAST_OWNER: 'precondition',
  USER_OWNS_DATA: 'precondition',
  PROJECT_NOT_FOUND: 'not-found',
  MEMBER_NOT_FOUND: 'not-found',
  PROJECT_OWNS_DATA: 'precondition',
  TOO_MANY_PROJECTS: 'precondition',
  TOO_MANY_MEMBERS: 'precondition',
  TOO_MANY_MEMBERSHIPS: 'precondition',
  INVITATION_NOT_FOUND: 'not-found',
  TOO_MANY_INVITATIONS: 'precondition',
  RETRY_TOO_MANY: 'precondition',
  TOO_MANY_RETRY_JOBS: 'precondition',
  TOO_MANY_EVENT_SUBSCRIPTIONS: 'precondition',
  TOO_MANY_API_KEYS: 'precondition',
  TOO_MANY_BACKFILLS: 'precondition',
  TOO_MANY_DATA_TABLES: 'precondition',
  DATA_TABLE_FULL: 'precondition',
  TOO_MANY_VARIABLES: 'precondition',
  VERSION_CONFLICT: 'precondition',
  PAYLOAD_TOO_LARGE: 'too-large',
  RATE_LIMIT_EXCEEDED: 'limited',
  TOO_MANY_SIGN_INS: 'limited',
  QUEUE_FULL: 'limited',
  WORKFLOW_BUSY: 'limited',
  BODY_MEMORY_FULL: 'unavailable',
  TOO_MANY_WAITING: 'limited',
  REPLICA_STOPPING: 'unavailable',
  SERVICE_UNAVAILABLE: 'unavailable',
  REQUEST_TOO_SLOW: 'timeout',
  REQUEST_TIMED_OUT: 'timeout',
  INTERNAL_ERROR: 'internal',
  CREDENTIAL_UNREADABLE: 'internal',
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** A reason for which an operation of the API may be refused. */
export type Reason = keyof typeof REASONS;

/** Reasons of every operation: checks before the handler, and failures that any call may meet. */
export const COMMON_REASONS: readonly Reason[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'REQUEST_TIMED_OUT',
  // Basic authentication verifies a password with each request.
  'TOO_MANY_SIGN_INS',
];

/** Reasons of operations that read a body. */
export const BODY_REASONS: readonly Reason[] = ['REQUEST_TOO_SLOW', 'BODY_MEMORY_FULL'];
