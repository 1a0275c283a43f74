import { createBatcher } from './create-batcher';

const recorded = (concurrency: number, maxBatch = 10) => {
  const batches: number[][] = [];
  const release: (() => void)[] = [];
  const call = createBatcher<number, number>({
    maxBatch,
    concurrency,
    maxQueued: 20,
    flush: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => release.push(resolve));
      return items.map((item) => (item < 0 ? new Error(`no ${item}`) : item * 2));
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { batches, call, turn, releaseNext: () => release.shift()?.() };
};

describe('createBatcher', () => {
  it('batches calls of one tick, and calls made during a batch into the next one', async () => {
    const { batches, call, turn, releaseNext } = recorded(1);
    const first = [call(1), call(2)];
    await turn();
    const second = [call(3), call(4)];
    await turn();
    expect(batches).toEqual([[1, 2]]);
    releaseNext();
    expect(await Promise.all(first)).toEqual([2, 4]);
    await turn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    releaseNext();
    expect(await Promise.all(second)).toEqual([6, 8]);
  });

  it('rejects only the caller whose item failed', async () => {
    const { call, turn, releaseNext } = recorded(1);
    const results = Promise.allSettled([call(1), call(-1)]);
    await turn();
    releaseNext();
    expect((await results).map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
  });

  it('bounds the batch size and the queue', async () => {
    const { batches, call, turn, releaseNext } = recorded(1, 2);
    const results = Promise.allSettled(Array.from({ length: 25 }, (_, index) => call(index)));
    await turn();
    expect(batches[0]).toHaveLength(2);
    while (batches.length < 10) {
      releaseNext();
      await turn();
    }
    releaseNext();
    const settled = await results;
    expect(settled.filter((result) => result.status === 'rejected')).toHaveLength(5);
    expect(batches.every((batch) => batch.length <= 2)).toBe(true);
  });

  it('rejects every caller of a batch that failed as a whole, and continues', async () => {
    let fails = true;
    const call = createBatcher<number, number>({
      maxBatch: 5,
      concurrency: 1,
      maxQueued: 5,
      flush: (items) => (fails ? Promise.reject(new Error('down')) : Promise.resolve(items)),
    });
    await expect(call(1)).rejects.toThrow('down');
    fails = false;
    expect(await call(2)).toBe(2);
  });

  it('limits a batch to its weight, and sends a heavier item alone', async () => {
    const batches: number[][] = [];
    const call = createBatcher<number, true>({
      maxBatch: 10,
      concurrency: 1,
      maxQueued: 20,
      weight: { of: (item) => item, max: 10 },
      flush: (items) => {
        batches.push([...items]);
        return Promise.resolve(items.map(() => true));
      },
    });
    await Promise.all([4, 6, 1, 30, 5].map(call));
    expect(batches).toEqual([[4, 6], [1], [30], [5]]);
  });

  it('refuses items beyond its weight, and accepts them again when batches are done', async () => {
    const release: (() => void)[] = [];
    const call = createBatcher<number, true>({
      maxBatch: 10,
      concurrency: 1,
      maxQueued: 20,
      weight: { of: (item) => item, max: 10, maxHeld: 12 },
      flush: async (items) => {
        await new Promise<void>((resolve) => release.push(resolve));
        return items.map(() => true);
      },
    });
    const held = [call(8), call(4)];
    await expect(call(1)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release.shift()?.();
    await held[0];
    const after = call(8);
    while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release.shift()?.();
    await held[1];
    while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release.shift()?.();
    expect(await after).toBe(true);
  });
});
