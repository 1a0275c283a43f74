import { bytesOutlived } from '../testing';
import { createBoundedCache } from './bounded-cache';

describe('a bounded cache', () => {
  it('evicts the least recently used entry when the weights exceed their bound', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10 });
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('evicts the least recently used entry when there are too many', () => {
    const cache = createBoundedCache<number, string>({ maxEntries: 2 });
    cache.set(1, 'A');
    cache.set(2, 'B');
    cache.set(1, 'AA');
    cache.set(3, 'C');
    expect([cache.get(1), cache.get(2), cache.get(3)]).toEqual(['AA', undefined, 'C']);
  });

  it('counts a value that was set twice only once', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10 });
    cache.set('a', 'A', 6);
    cache.set('a', 'AA', 6);
    cache.set('b', 'B', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual(['AA', 'B']);
  });

  it('does not store an oversized value, and drops the previous value of its key', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10 });
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    cache.set('a', 'huge', 11);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B']);
  });

  it('retains an oversized value until the next one, if configured', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10, retainsOversized: true });
    cache.set('a', 'huge', 11);
    expect(cache.get('a')).toBe('huge');
    cache.set('b', 'B', 1);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B']);
  });

  it('no longer has or counts a deleted value', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 3 });
    for (const key of ['a', 'b', 'c']) cache.set(key, key.toUpperCase(), 1);
    for (const key of ['b', 'c', 'c', 'x']) cache.delete(key);
    cache.set('d', 'D', 2);
    expect(['a', 'b', 'c', 'd'].map(cache.get)).toEqual(['A', undefined, undefined, 'D']);
  });

  it('behaves like a plain list under random operations', () => {
    const cache = createBoundedCache<number, number>({ maxEntries: 5, maxWeight: 12 });
    let list: { readonly key: number; readonly value: number; readonly weight: number }[] = [];
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let value = 0; value < 5_000; value += 1) {
      const key = random(9);
      const found = list.find((entry) => entry.key === key);
      const others = list.filter((entry) => entry.key !== key);
      const act = random(4);
      if (act === 0) {
        cache.delete(key);
        list = others;
      } else if (act === 1) {
        expect(cache.get(key)).toBe(found?.value);
        list = found === undefined ? others : [...others, found];
      } else {
        const weight = random(5);
        cache.set(key, value, weight);
        list = [...others, { key, value, weight }];
        while (list.length > 5 || list.reduce((sum, entry) => sum + entry.weight, 0) > 12) list.shift();
      }
    }
    const entries = list.map(({ key, value }) => [key, value]).reverse();
    expect([cache.newest(2), cache.newest(99)]).toEqual([entries.slice(0, 2), entries]);
    expect(cache.weight()).toBe(list.reduce((sum, { weight }) => sum + weight, 0));
    expect(list.map(({ key }) => cache.get(key))).toEqual(list.map(({ value }) => value));
  });

  it('frees evicted values before V8 marks the whole heap', async () => {
    const cache = createBoundedCache<number, readonly object[]>({ maxEntries: 4 });
    const bytes = await bytesOutlived(400, (index) => {
      cache.set(
        index,
        Array.from({ length: 100 }, (_, item) => ({ item, text: `item ${item}` })),
      );
      cache.get(index - 2);
    });
    expect(bytes).toBeLessThan(1_000);
  });
});
