import { crashDelayMs, hookRetryDelayMs, leaseGraceMs, leaseWatchMs, republishDelayMs } from './back-off';

describe('the back-off', () => {
  it('of publications doubles from one minute to ten', () => {
    expect([0, 1, 2, 3, 4, 50].map((times) => republishDelayMs(times) / 60_000)).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('of crashes is 1.5 s, then 10 s, then 30 s at most, and never longer than a lease', () => {
    expect([1, 2, 3, 9].map((crashes) => crashDelayMs(crashes, 30_000, 1))).toEqual([1_500, 10_000, 30_000, 30_000]);
    expect([1, 2].map((crashes) => crashDelayMs(crashes, 1_000, 1))).toEqual([1_000, 1_000]);
  });

  it('of crashes is randomised over four fifths of its length', () => {
    expect([0, 0.5, 1].map((random) => Math.round(crashDelayMs(2, 30_000, random)))).toEqual([2_000, 6_000, 10_000]);
  });

  it('of a lease is 2 s, and less for a short lease', () => {
    expect([600_000, 30_000, 1_200].map(leaseGraceMs)).toEqual([2_000, 2_000, 80]);
  });

  it('leaves at most 40 s from the death of a runner to the next attempt at the default lease', () => {
    const lease = 30_000;
    expect(2 * leaseWatchMs(lease) + lease + leaseGraceMs(lease) + crashDelayMs(1, lease, 1)).toBeLessThan(39_000);
  });

  it('of completion hooks doubles from a second to ten minutes', () => {
    expect([0, 1, 5, 100].map(hookRetryDelayMs)).toEqual([1_000, 2_000, 32_000, 600_000]);
  });
});
