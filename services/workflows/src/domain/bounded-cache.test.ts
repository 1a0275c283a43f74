import { createBoundedCache } from './bounded-cache';

describe('a bounded cache', () => {
  it('drops what was not used for longest when costs exceed the bound', () => {
    const cache = createBoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('counts a value that is set again once', () => {
    const cache = createBoundedCache<string>(10);
    cache.set('a', 'A', 6);
    cache.set('a', 'AA', 6);
    cache.set('b', 'B', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual(['AA', 'B']);
  });

  it('does not keep what alone exceeds the bound, nor what it stood for', () => {
    const cache = createBoundedCache<string>(10);
    cache.set('a', 'A', 1);
    cache.set('a', 'huge', 11);
    expect(cache.get('a')).toBeUndefined();
  });
});
