import { createSideEffectingVersions } from './side-effecting-versions';

const afterRuns = (runs: number) => {
  const versions = createSideEffectingVersions();
  for (let run = 0; run < runs; run += 1) versions.learn('v', true);
  return versions;
};

describe('a version whose runs have side effects', () => {
  it('is known after eight runs in a row, without consequences for other versions', () => {
    expect(afterRuns(7).expects('v')).toBe(false);
    const versions = afterRuns(8);
    expect([versions.expects('v'), versions.expects('other')]).toEqual([true, false]);
  });

  it('is forgotten as soon as a run ends without side effects', () => {
    const versions = afterRuns(100);
    versions.learn('v', false);
    for (let run = 0; run < 7; run += 1) versions.learn('v', true);
    expect(versions.expects('v')).toBe(false);
  });

  it('keeps one run in 32 in memory, which may show that it changed', () => {
    const versions = afterRuns(8);
    expect(Array.from({ length: 64 }, () => versions.expects('v')).filter((expected) => !expected)).toHaveLength(2);
  });
});
