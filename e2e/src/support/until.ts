/** Shortest and longest pause between two looks, in milliseconds. */
const PAUSE_MS = { min: 50, max: 200 } as const;

/**
 * Polls until there is a result: every 50 ms at first, and then after a tenth of the time waited, up to every 200 ms. A
 * look is work for several processes.
 * @param what the awaited event, or a function that describes it together with what was seen
 * @throws Error naming what was waited for, after `limitMs`.
 */
export const until = async <Result>(
  what: string | (() => string),
  look: () => Promise<Result | undefined | false>,
  limitMs = 120_000,
): Promise<Result> => {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs)
      throw new Error(`Waited ${limitMs} ms without success: ${typeof what === 'string' ? what : what()}.`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(PAUSE_MS.min, waitedMs / 10), PAUSE_MS.max)));
  }
};
