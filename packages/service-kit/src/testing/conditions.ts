import { setTimeout } from 'node:timers/promises';

/**
 * Waits until a condition holds, looking every 20 ms.
 * @throws Error naming what was waited for, after `limitMs`.
 */
export const until = async <Result>(
  what: string,
  look: () => Promise<Result | undefined | false> | Result | undefined | false,
  limitMs = 10_000,
): Promise<Result> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms in vain: ${what}.`);
    await setTimeout(20);
  }
};
