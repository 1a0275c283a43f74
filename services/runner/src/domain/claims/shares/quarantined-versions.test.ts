import { createQuarantinedVersions } from './quarantined-versions';

describe('versions in quarantine', () => {
  it('stay there for ten minutes after the last report of the service', () => {
    let now = 0;
    const versions = createQuarantinedVersions(() => now);
    versions.learn('deadly');
    now = 500_000;
    versions.learn('deadly');
    now = 1_099_999;
    expect([versions.has('deadly'), versions.has('other')]).toEqual([true, false]);
    now = 1_100_000;
    expect(versions.has('deadly')).toBe(false);
  });
});
