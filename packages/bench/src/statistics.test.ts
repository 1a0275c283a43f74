import { median, percentile, ratioOf, spreadOf } from './statistics';

describe('statistics', () => {
  it.each([
    ['of an odd number of values, the one in the middle', [9, 1, 5], 5],
    ['of an even number, the mean of the two in the middle', [4, 1, 10, 2], 3],
    ['of one value, that value', [7], 7],
  ])('the median is, %s', (_, values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('there is no median of no values', () => {
    expect(() => median([])).toThrow('no median');
  });

  it('a percentile is a value that occurred, by the nearest rank', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([100, 198, 200]);
    expect(percentile([3], 0.99)).toBe(3);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('a spread is the median with the smallest and the largest value', () => {
    expect(spreadOf([3, 9, 1])).toEqual({ median: 3, min: 1, max: 9 });
  });

  it('a ratio is taken round by round, not of the medians', () => {
    // the machine was half as fast in the second round, for both
    expect(ratioOf([200, 100, 210], [100, 50, 100])).toEqual({ median: 2, min: 2, max: 2.1 });
  });

  it('rounds in which the reference is 0 have no ratio', () => {
    expect(ratioOf([1, 4], [0, 2])).toEqual({ median: 2, min: 2, max: 2 });
    expect(ratioOf([1], [0])).toBeUndefined();
  });
});
