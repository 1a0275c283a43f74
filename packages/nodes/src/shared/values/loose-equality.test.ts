import fc from 'fast-check';
import type { Json } from '@weft/node-catalogue';
import { looseBucket, looselyEqual } from './loose-equality';

describe('looselyEqual', () => {
  it.each<[Json, Json]>([
    [1, '1'],
    [true, 'TRUE'],
    [true, 1],
    [true, '1'],
    [false, 0],
    [false, 'false'],
    [null, ''],
    ['', []],
    [[1], '[1]'],
    [{ a: 1 }, '{"a":1}'],
    [1, 1],
  ])('%j and %j are', (one, other) => {
    expect([looselyEqual(one, other), looselyEqual(other, one)]).toEqual([true, true]);
  });

  it.each<[Json, Json]>([
    ['a', 'A'],
    ['1', '01'],
    [1, '1.0'],
    [true, 'yes'],
    [null, 0],
    [null, '0'],
    [[1], [2]],
    ['[1]', '[ 1]'],
    [0, ''],
  ])('%j and %j are not', (one, other) => {
    expect([looselyEqual(one, other), looselyEqual(other, one)]).toEqual([false, false]);
  });

  it('treats null as 0 on request', () => {
    expect([looselyEqual(null, 0, true), looselyEqual('0', null, true), looselyEqual(null, false, true)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('never finds values in different buckets equal', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<Json>(null, '', 0, 1, '0', '1', true, false, 'true', 'FALSE', [], {}, '[]', '{}', '[1]', [1]),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [a, b]: Json[] = JSON.parse(JSON.stringify([one, other]));
        if (looselyEqual(a, b, true)) expect(looseBucket(a)).toBe(looseBucket(b));
      }),
      { numRuns: 3_000 },
    );
  });
});
