import { APART_MS, createBlamedRuns, MAX_VERSIONS, readBlamedVersions } from './blamed-runs';

describe('runs that were blamed for the end of a process', () => {
  let now = 0;
  const open = (known = createBlamedRuns(() => now).all()) => createBlamedRuns(() => now, known);
  const of = (ownerId: string, versionId: string) => ({ ownerId, versionId, workflowId: 'w' });
  const blame = (blamed: ReturnType<typeof open>, ownerId: string, versionId: string, isShared = true): void =>
    blamed.add({ ownerKey: `owner ${ownerId}`, versionId }, isShared);

  it('keep their version apart for ten minutes after the last one, and no other version', () => {
    const blamed = open();
    expect(blamed.isApart(of('a', 'v1'))).toBe(false);
    blame(blamed, 'a', 'v1');
    expect([of('a', 'v1'), of('a', 'v2'), of('b', 'v3')].map(blamed.isApart)).toEqual([true, false, false]);
    now += APART_MS - 1;
    blame(blamed, 'a', 'v1', false);
    now += APART_MS - 1;
    expect(blamed.isApart(of('a', 'v1'))).toBe(true);
    now += 1;
    expect(blamed.isApart(of('a', 'v1'))).toBe(false);
  });

  it('keep all runs of an owner apart whose versions end shared processes again and again', () => {
    const blamed = open();
    for (let n = 1; n < MAX_VERSIONS; n += 1) blame(blamed, 'a', `v${n}`);
    blame(blamed, 'a', 'v1');
    blame(blamed, 'a', 'elsewhere', false);
    blame(blamed, 'b', 'v9');
    expect(blamed.isApart(of('a', 'new'))).toBe(false);
    blame(blamed, 'a', 'last');
    expect([of('a', 'new'), of('b', 'new')].map(blamed.isApart)).toEqual([true, false]);
    // Still so while its runs are blamed in separate processes.
    now += APART_MS - 1;
    blame(blamed, 'a', 'another', false);
    now += APART_MS - 1;
    expect(blamed.isApart(of('a', 'new'))).toBe(true);
    now += 1;
    expect(blamed.isApart(of('a', 'new'))).toBe(false);
  });

  it('are known to the next program of the process, as JSON', () => {
    const blamed = open();
    for (const version of ['v1', 'v2', 'v3']) blame(blamed, 'a', version);
    blame(blamed, 'b', 'v4', false);
    const next = open(readBlamedVersions(JSON.parse(JSON.stringify(blamed.all()))));
    expect([of('a', 'new'), of('b', 'v4'), of('b', 'new')].map(next.isApart)).toEqual([true, true, false]);
    expect(readBlamedVersions([{ versionId: 1 }, null, 'x'])).toEqual([]);
    expect(readBlamedVersions('x')).toEqual([]);
  });

  it('are remembered in bounded number, the latest first', () => {
    const blamed = open();
    for (let n = 0; n < 1_000; n += 1) blame(blamed, `o${n}`, `v${n}`);
    expect(blamed.all()).toHaveLength(500);
    expect([of('o499', 'v499'), of('o500', 'v500')].map(blamed.isApart)).toEqual([false, true]);
  });
});
