/**
 * Waits for work at most `ms` milliseconds; after that the work continues unattended.
 * @returns undefined if the time was too short
 * @throws what the work throws within the time
 */
export const within = async <Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> => {
  const { promise: limit, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};
