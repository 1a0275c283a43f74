import type { ExecutionRecord } from '../state/execution';
import type { InsertExecution } from '../state/ports';

/**
 * True for a run that has ended without being stored and leaves nothing behind: its workflow retains no successful
 * runs, it has no key, and no data outside its record. Only its caller could refer to it.
 */
export const leavesNothing = (record: ExecutionRecord): boolean => {
  const { state, mode, idempotencyKey, manifest, log, uploadedBytes, response, postRunActions } = record;
  if (state !== 'success' || mode !== 'webhook' || idempotencyKey !== undefined) return false;
  const due = postRunActions.filter((hook) => hook.due !== undefined);
  return (
    due.length > 0 &&
    due.every(({ kind }) => kind === 'expire-record') &&
    log === undefined &&
    uploadedBytes === 0 &&
    response?.bodyChunk === undefined &&
    manifest.every(({ rawBytes, totalBytes }) => rawBytes === totalBytes)
  );
};

/** Inserts executions, except those that leave nothing behind: their callers get responses from memory. */
export const withoutUnkept =
  (insert: InsertExecution): InsertExecution =>
  (record) =>
    leavesNothing(record) ? Promise.resolve({ kind: 'inserted' }) : insert(record);
