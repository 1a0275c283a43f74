import { createOverShareOwners } from './over-share-owners';

describe('owners with large data', () => {
  it('are marked for ten minutes after their last run with large data, in any runner', () => {
    let now = 0;
    const owners = createOverShareOwners(
      () => now,
      () => undefined,
    );
    owners.mark('a');
    now = 400_000;
    owners.mark('a');
    owners.learn('b');
    now = 999_999;
    expect(['a', 'b', 'c'].map(owners.has)).toEqual([true, true, false]);
    now = 1_000_000;
    expect(['a', 'b'].map(owners.has)).toEqual([false, false]);
  });

  it('are reported to the other runners at most once a minute, unless they were reported by those', () => {
    let now = 0;
    const told: string[] = [];
    const owners = createOverShareOwners(
      () => now,
      (ownerKey) => told.push(ownerKey),
    );
    owners.learn('a');
    expect(told).toEqual([]);
    owners.mark('a');
    owners.mark('b');
    now = 59_999;
    owners.mark('a');
    expect(told).toEqual(['a', 'b']);
    now = 60_000;
    owners.mark('a');
    expect(told).toEqual(['a', 'b', 'a']);
  });
});
