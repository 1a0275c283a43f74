import { readDefinition } from '@weft/node-catalogue';
import { PreparedCache } from './prepared-cache';

const definition = readDefinition({ name: 'x', nodes: [], connections: {} });

describe('PreparedCache', () => {
  it('prepares a version once', () => {
    const cache = new PreparedCache(2);
    expect(cache.add('v1', definition)).toBe(cache.add('v1', definition));
    expect(cache.get('v1')).toBe(cache.add('v1', definition));
  });

  it('lets the least recently used version go when it is full', () => {
    const cache = new PreparedCache(2);
    cache.add('v1', definition);
    cache.add('v2', definition);
    cache.get('v1');
    cache.add('v3', definition);
    expect(cache.versionIds().sort()).toEqual(['v1', 'v3']);
    expect(cache.get('v2')).toBeUndefined();
  });
});
