import { createQuickVersions } from './quick-versions';

describe('versions whose runs are quick', () => {
  it('are those of which runs have ended soon, and none that is not known', () => {
    const quick = createQuickVersions();
    expect(quick.has('v')).toBe(false);
    quick.learn('v', 10);
    expect([quick.has('v'), quick.has('other')]).toEqual([true, false]);
  });

  it('are no longer quick when their runs take long or go on, and are again when they do not', () => {
    const quick = createQuickVersions();
    quick.learn('v', 5);
    quick.learn('v', undefined);
    expect(quick.has('v')).toBe(false);
    for (let run = 0; run < 5; run += 1) quick.learn('v', 5);
    expect(quick.has('v')).toBe(true);
  });
});
