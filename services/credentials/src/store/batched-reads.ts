import { createBatcher } from '@weft/service-kit/batching';

/**
 * Turns a read of many ids into a read of one. Concurrent reads share a query, which is sent after all of them were
 * called.
 */
export const batchedReads = <Item extends { readonly id: string }>(
  findByIds: (ids: readonly string[]) => Promise<readonly Item[]>,
): ((id: string) => Promise<Item | undefined>) => {
  const read = createBatcher<string, { readonly found: Item | undefined }>({
    maxBatch: 200,
    concurrency: 4,
    maxQueued: 5_000,
    flush: async (ids) => {
      const items = new Map((await findByIds([...new Set(ids)])).map((item) => [item.id, item]));
      return ids.map((id) => ({ found: items.get(id) }));
    },
  });
  return async (id) => (await read(id)).found;
};
