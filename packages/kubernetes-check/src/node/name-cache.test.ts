import { createNameCache } from './name-cache';

describe('the cache of a cluster DNS', () => {
  const cacheOf = (found: { addresses: readonly string[] | undefined }) => {
    let now = 0;
    const cache = createNameCache(
      () => found.addresses,
      () => now,
    );
    return { cache, wait: (ms: number) => (now += ms) };
  };

  it('gives the former addresses until their time is over', () => {
    const found = { addresses: ['10.0.0.1'] };
    const { cache, wait } = cacheOf(found);
    cache.keepFor(30_000);
    expect(cache.lookUp('a')).toEqual(['10.0.0.1']);
    found.addresses = ['10.0.0.2'];
    wait(29_999);
    expect(cache.lookUp('a')).toEqual(['10.0.0.1']);
    wait(1);
    expect(cache.lookUp('a')).toEqual(['10.0.0.2']);
  });

  it('keeps no name without an address, and nothing at all until it is told to', () => {
    const found: { addresses: readonly string[] | undefined } = { addresses: undefined };
    const { cache } = cacheOf(found);
    cache.keepFor(30_000);
    expect(cache.lookUp('a')).toBeUndefined();
    found.addresses = ['10.0.0.1'];
    expect(cache.lookUp('a')).toEqual(['10.0.0.1']);
    cache.keepFor(0);
    found.addresses = ['10.0.0.2'];
    expect(cache.lookUp('a')).toEqual(['10.0.0.2']);
  });
});
