import { crashDelayMs, followUpDelayMs, leaseGraceMs, republishDelayMs } from './back-off';

describe('the back-off', () => {
  it('of publications doubles from one minute to ten', () => {
    expect([0, 1, 2, 3, 4, 50].map((times) => republishDelayMs(times) / 60_000)).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('of crashes is 5 s, then 30 s, and never longer than a lease', () => {
    expect([1, 2, 3].map((crashes) => crashDelayMs(crashes, 30_000))).toEqual([5_000, 30_000, 30_000]);
    expect([1, 2].map((crashes) => crashDelayMs(crashes, 1_000))).toEqual([1_000, 1_000]);
  });

  it('of a lease is 5 s, and less for a short lease', () => {
    expect([600_000, 30_000, 1_200].map(leaseGraceMs)).toEqual([5_000, 5_000, 200]);
  });

  it('of follow-ups doubles from a second to ten minutes', () => {
    expect([0, 1, 5, 100].map(followUpDelayMs)).toEqual([1_000, 2_000, 32_000, 600_000]);
  });
});
