import type { BatchSettings } from './settings';

/** Maximum number of concurrent requests of one node. */
const MAX_AT_ONCE = 10;

/**
 * Calls `work` for 0 to count - 1 in batches, with a pause between batches, and returns the results in order. Within a
 * batch at most 10 calls run at once. After a failure no further call starts; running ones are awaited, and then the
 * first failure by index is thrown.
 */
export async function runBatches<Result>(
  count: number,
  batches: BatchSettings,
  work: (index: number) => Promise<Result>,
  sleep: (ms: number) => Promise<void>,
): Promise<Result[]> {
  const results: Result[] = [];
  const size = batches.size ?? Math.max(count, 1);
  for (let start = 0; start < count; start += size) {
    if (start > 0 && batches.intervalMs > 0) await sleep(batches.intervalMs);
    results.push(...(await runBatch(start, Math.min(start + size, count), work)));
  }
  return results;
}

async function runBatch<Result>(
  start: number,
  end: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const failures = new Map<number, unknown>();
  let next = start;
  const worker = async (): Promise<void> => {
    while (next < end && failures.size === 0) {
      const index = next;
      next += 1;
      try {
        results.set(index, await work(index));
      } catch (failure) {
        failures.set(index, failure);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, end - start) }, worker));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
