import { createActingVersions } from './acting-versions';

const afterActing = (runs: number) => {
  const versions = createActingVersions();
  for (let run = 0; run < runs; run += 1) versions.learn('v', true);
  return versions;
};

describe('a version whose runs act outside', () => {
  it('is known by eight runs in a row, and nothing is said of others', () => {
    expect(afterActing(7).expects('v')).toBe(false);
    const versions = afterActing(8);
    expect([versions.expects('v'), versions.expects('other')]).toEqual([true, false]);
  });

  it('is none any more as soon as a run ends without', () => {
    const versions = afterActing(100);
    versions.learn('v', false);
    for (let run = 0; run < 7; run += 1) versions.learn('v', true);
    expect(versions.expects('v')).toBe(false);
  });

  it('has one run in 32 held, which may show that it changed', () => {
    const versions = afterActing(8);
    expect(Array.from({ length: 64 }, () => versions.expects('v')).filter((expected) => !expected)).toHaveLength(2);
  });
});
