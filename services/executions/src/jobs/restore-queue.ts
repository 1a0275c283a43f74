/** What restoring the queue needs. */
export interface RestorePorts {
  /** Makes stream and consumer where they are missing; tells whether the stream is a new one. @throws if the broker cannot be reached */
  readonly ensureQueue: () => Promise<boolean>;
  /** Makes every queued execution due for publication. @throws Unavailable */
  readonly makeAllDue: () => Promise<void>;
}

/**
 * Sees that the queue exists. Where it was lost, everything that was in it is published again by the next step of the
 * sweep, however long its back-off had become.
 */
export const createRestoreQueue = ({ ensureQueue, makeAllDue }: RestorePorts) => {
  let isOwed = false;
  return async (): Promise<void> => {
    if (await ensureQueue()) isOwed = true;
    if (!isOwed) return;
    await makeAllDue();
    isOwed = false;
  };
};
