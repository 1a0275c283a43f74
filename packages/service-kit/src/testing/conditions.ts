import { setTimeout } from 'node:timers/promises';

/** Shortest and longest pause between two checks, in milliseconds. */
const PAUSE_MS = { min: 20, max: 100 } as const;

/**
 * Waits until a condition holds. Checks every 20 ms at first, and then after a tenth of the time waited, up to every
 * 100 ms: many checks read a database.
 * @throws Error with the awaited condition after `limitMs`
 */
export const until = async <Result>(
  what: string,
  check: () => Promise<Result | undefined | false> | Result | undefined | false,
  limitMs = 60_000,
): Promise<Result> => {
  const startedAt = performance.now();
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs) throw new Error(`Waited ${limitMs} ms without success: ${what}.`);
    await setTimeout(Math.min(Math.max(PAUSE_MS.min, waitedMs / 10), PAUSE_MS.max));
  }
};
