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

  it('counts a value that was set again once', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10 });
    cache.set('a', 'A', 6);
    cache.set('a', 'AA', 6);
    cache.set('b', 'B', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual(['AA', 'B']);
  });

  it('does not store a value that is too heavy alone, and drops the former value of its key', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10 });
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    cache.set('a', 'huge', 11);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B']);
  });

  it('retains a value that is too heavy alone until the next one, if asked to', () => {
    const cache = createBoundedCache<string, string>({ maxWeight: 10, retainsOversized: true });
    cache.set('a', 'huge', 11);
    expect(cache.get('a')).toBe('huge');
    cache.set('b', 'B', 1);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B']);
  });
});
