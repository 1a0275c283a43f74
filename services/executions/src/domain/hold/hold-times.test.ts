import { createHoldTimes } from './hold-times';

const LIMIT_MS = 50;

describe('the time for which a run is held that nobody waits for', () => {
  it('is the limit for a version that is not known, and for one that usually takes less', () => {
    const times = createHoldTimes(LIMIT_MS);
    expect(times.of('v')).toBe(LIMIT_MS);
    times.learn('v', 5);
    expect(times.of('v')).toBe(LIMIT_MS);
  });

  it('is none for a version that usually takes longer, but for one run in 32, which may show that it changed', () => {
    const times = createHoldTimes(LIMIT_MS);
    times.learn('slow', LIMIT_MS);
    expect(Array.from({ length: 32 }, () => times.of('slow')).filter((ms) => ms > 0)).toEqual([LIMIT_MS]);
    for (let run = 0; run < 10; run += 1) times.learn('slow', 5);
    expect(times.of('slow')).toBe(LIMIT_MS);
    expect(times.of('other')).toBe(LIMIT_MS);
  });

  it('is none at all if the limit is 0', () => {
    expect(createHoldTimes(0).of('v')).toBe(0);
  });
});
