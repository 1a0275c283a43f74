/** Requests at the same time. */
export const CONCURRENT = 4;

/** Performs tasks, at most `limit` at the same time. A failed task rejects; others that run are not waited for. */
export const inParallel = async <Entry, Result>(
  entries: readonly Entry[],
  limit: number,
  perform: (entry: Entry, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < entries.length) {
      const index = next;
      next += 1;
      const entry = entries[index];
      if (entry !== undefined) results[index] = await perform(entry, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, work));
  return results;
};
