import type { ExecutionRecord } from '../state/execution';
import type { InsertExecution } from '../state/ports';

/**
 * True for a run that has ended without being stored and leaves nothing behind: its workflow keeps no successes, no key
 * finds it, and it has nothing outside its record. Nobody but its caller could ask about it.
 */
export const leavesNothing = (record: ExecutionRecord): boolean => {
  const { state, mode, idempotencyKey, manifest, log, uploadedBytes, response, postRunActions } = record;
  if (state !== 'success' || mode !== 'webhook' || idempotencyKey !== undefined) return false;
  const due = postRunActions.filter((action) => action.due !== undefined);
  return (
    due.length > 0 &&
    due.every(({ kind }) => kind === 'expire-record') &&
    log === undefined &&
    uploadedBytes === 0 &&
    response?.bodyChunk === undefined &&
    manifest.every(({ rawBytes, totalBytes }) => rawBytes === totalBytes)
  );
};

/** Inserts executions, but for those that leave nothing: their callers are answered from memory. */
export const withoutUnkept =
  (insert: InsertExecution): InsertExecution =>
  (record) =>
    leavesNothing(record) ? Promise.resolve({ kind: 'inserted' }) : insert(record);
