import { bytesOutlived } from '../testing';
import { InFlightMap, InFlightSet, WorkUnderWay } from '.';

/** About 5 KB. */
const large = (): { readonly items: readonly object[] } => ({
  items: Array.from({ length: 100 }, (_, index) => ({ index, text: `item ${index}` })),
});

const FEW_BYTES = 1_000;

describe('InFlightMap', () => {
  it('has the entries of a Map, in its order', () => {
    const map = new InFlightMap<string, { readonly n: number }>();
    const one = { n: 1 };
    map.set('a', one);
    map.set('b', { n: 2 });
    map.set('a', { n: 3 });
    expect([map.size, map.has('a'), map.get('a'), map.get('c'), map.has('c')]).toEqual([
      2,
      true,
      { n: 3 },
      undefined,
      false,
    ]);
    expect([...map.keys()]).toEqual(['a', 'b']);
    expect([...map.values()]).toEqual([{ n: 3 }, { n: 2 }]);
    expect([map.delete('a'), map.delete('a'), map.size, map.get('a')]).toEqual([true, false, 1, undefined]);
    expect([...map.values()]).toEqual([{ n: 2 }]);
  });

  it('lets its values be removed during iteration', () => {
    const map = new InFlightMap<number, { readonly n: number }>();
    for (let n = 0; n < 5; n += 1) map.set(n, { n });
    const seen: number[] = [];
    for (const { n } of map.values()) {
      seen.push(n);
      map.delete(n + 1);
    }
    expect([seen, map.size]).toEqual([[0, 2, 4], 3]);
  });

  it('frees removed values before V8 marks the whole heap, unlike a Map', async () => {
    const left = (map: Map<number, object> | InFlightMap<number, object>): Promise<number> =>
      bytesOutlived(400, (index) => {
        map.set(index, large());
        map.delete(index - 4);
      });
    expect(await left(new Map())).toBeGreaterThan(4 * FEW_BYTES);
    expect(await left(new InFlightMap())).toBeLessThan(FEW_BYTES);
  });
});

describe('InFlightSet', () => {
  it('has the values that were added and not removed, in order', () => {
    const set = new InFlightSet<{ readonly n: number }>();
    const one = { n: 1 };
    const leave = set.add(one);
    set.add(one);
    set.add({ n: 2 });
    expect([set.size, [...set]]).toEqual([3, [one, one, { n: 2 }]]);
    leave();
    leave();
    expect([set.size, [...set]]).toEqual([2, [one, { n: 2 }]]);
  });

  it('frees removed values before V8 marks the whole heap', async () => {
    const set = new InFlightSet<object>();
    const leaves: (() => void)[] = [];
    expect(
      await bytesOutlived(400, () => {
        leaves.push(set.add(large()));
        if (leaves.length > 4) leaves.shift()?.();
      }),
    ).toBeLessThan(FEW_BYTES);
  });
});

describe('work under way', () => {
  it('is removed when it settles, whether it succeeds or fails', async () => {
    const works = new WorkUnderWay();
    const { promise, resolve } = Promise.withResolvers<number>();
    const long = works.track(promise);
    const failing = works.track(Promise.reject(new Error('no')));
    expect([...works]).toEqual([long, failing]);
    await expect(failing).rejects.toThrow('no');
    expect([...works]).toEqual([long]);
    resolve(1);
    expect([await long, works.size]).toEqual([1, 0]);
  });
});
