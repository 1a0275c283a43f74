/** Thrown when the signal of a run fires while a node is running. */
export class RunAborted extends Error {
  constructor() {
    super('The run was stopped.');
    this.name = 'RunAborted';
  }
}

/**
 * Waits for `work`, but no longer than until the signal fires: work that does not heed the signal cannot hold a run.
 * @throws RunAborted, or what the work throws.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    throw new RunAborted();
  }
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new RunAborted());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (thrown) {
    throw signal.aborted ? new RunAborted() : thrown;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The outcome of work that no caller waits for any more is ignored.
    work.catch(() => undefined);
  }
}
