import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds of a wait. */
export interface WaitOptions {
  /** Longest wait in milliseconds. */
  readonly limitMs: number;
  /** Pause between two polls in milliseconds; 25 by default. */
  readonly everyMs?: number;
  /** Ends the wait early with this signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Polls until `look` answers something other than undefined or false, and returns that.
 * Returns undefined when the limit passes first. An error of `look` ends the wait.
 */
export async function waitUntil<T>(
  look: () => Promise<T | false | undefined> | T | false | undefined,
  options: WaitOptions,
): Promise<T | undefined> {
  const deadline = Date.now() + options.limitMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() >= deadline) return undefined;
    await sleep(options.everyMs ?? 25);
  }
}
