/**
 * Polls every 50 ms until there is a result.
 * @param what the awaited event, or a function that describes it together with what was seen
 * @throws Error naming what was waited for, after `limitMs`.
 */
export const until = async <Result>(
  what: string | (() => string),
  look: () => Promise<Result | undefined | false>,
  limitMs = 120_000,
): Promise<Result> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end)
      throw new Error(`Waited ${limitMs} ms without success: ${typeof what === 'string' ? what : what()}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
