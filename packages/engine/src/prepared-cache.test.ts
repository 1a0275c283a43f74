import { readDefinition } from '@weft/node-catalogue';
import { PreparedCache } from './prepared-cache';

const definition = readDefinition({ name: 'x', nodes: [], connections: {} });
const idsOf = (cache: PreparedCache): string[] => [...cache.latest(100).keys()].sort();

describe('PreparedCache', () => {
  it('prepares a version once', () => {
    const cache = new PreparedCache(2, 100, new Map());
    expect(cache.add('v1', definition, 1)).toBe(cache.add('v1', definition, 1));
    expect(cache.get('v1')).toBe(cache.add('v1', definition, 1));
    expect(cache.bytes).toBe(1);
  });

  it('evicts the least recently used version when it is full', () => {
    const cache = new PreparedCache(2, 100, new Map());
    cache.add('v1', definition, 1);
    cache.add('v2', definition, 1);
    cache.get('v1');
    cache.add('v3', definition, 1);
    expect(idsOf(cache)).toEqual(['v1', 'v3']);
    expect(cache.get('v2')).toBeUndefined();
  });

  it(
    'evicts as many as their bytes demand, and retains a version that exceeds the limit alone until the ' +
      'next one comes',
    () => {
      const cache = new PreparedCache(100, 10, new Map());
      for (const id of ['v1', 'v2', 'v3']) cache.add(id, definition, 3);
      cache.add('v4', definition, 6);
      expect([idsOf(cache), cache.bytes]).toEqual([['v3', 'v4'], 9]);
      cache.add('large', definition, 50);
      expect([idsOf(cache), cache.bytes]).toEqual([['large'], 50]);
      cache.add('v5', definition, 3);
      expect([idsOf(cache), cache.bytes]).toEqual([['v5'], 3]);
    },
  );

  it('names the versions used last', () => {
    const cache = new PreparedCache(100, 100, new Map());
    for (const id of ['v1', 'v2', 'v3']) cache.add(id, definition, 3);
    cache.get('v1');
    expect([...cache.latest(2).keys()]).toEqual(['v3', 'v1']);
  });
});
