import { readDefinition } from '@weft/node-catalogue';
import { prepareWorkflow } from './prepare-workflow';
import { PreparedCache, type Prepare } from './prepared-cache';

const prepare: Prepare = (one) => prepareWorkflow(one, new Map());
const definition = readDefinition({ name: 'x', nodes: [], connections: {} });
/** Estimated heap of a version whose definition has `bytes` bytes. */
const heapOf = (bytes: number): number => bytes * 8 + 1_024;
const idsOf = (cache: PreparedCache): string[] => [...cache.latest(100).keys()].sort();

describe('PreparedCache', () => {
  it('prepares a version once', () => {
    const cache = new PreparedCache(2 * heapOf(1), prepare);
    expect(cache.add('v1', definition, 1)).toBe(cache.add('v1', definition, 1));
    expect(cache.get('v1')).toBe(cache.add('v1', definition, 1));
    expect(cache.bytes).toBe(heapOf(1));
  });

  it('evicts the least recently used version when it is full', () => {
    const cache = new PreparedCache(2 * heapOf(1), prepare);
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
      const cache = new PreparedCache(10_000, prepare);
      for (const id of ['v1', 'v2', 'v3']) cache.add(id, definition, 200);
      cache.add('v4', definition, 800);
      expect([idsOf(cache), cache.bytes]).toEqual([['v4'], heapOf(800)]);
      cache.add('v5', definition, 100);
      expect([idsOf(cache), cache.bytes]).toEqual([['v4', 'v5'], heapOf(800) + heapOf(100)]);
      cache.add('large', definition, 50_000);
      expect([idsOf(cache), cache.bytes]).toEqual([['large'], heapOf(50_000)]);
      cache.add('v6', definition, 100);
      expect([idsOf(cache), cache.bytes]).toEqual([['v6'], heapOf(100)]);
    },
  );

  it('names the versions used last', () => {
    const cache = new PreparedCache(100_000, prepare);
    for (const id of ['v1', 'v2', 'v3']) cache.add(id, definition, 3);
    cache.get('v1');
    expect([...cache.latest(2).keys()]).toEqual(['v1', 'v3']);
  });
});
