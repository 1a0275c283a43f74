import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds, polling every 20 ms. @throws Error with the awaited condition after `limitMs` */
export const until = async <Result>(
  what: string,
  check: () => Promise<Result | undefined | false> | Result | undefined | false,
  limitMs = 60_000,
): Promise<Result> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms without success: ${what}.`);
    await setTimeout(20);
  }
};
