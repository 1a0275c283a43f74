import { cpuBetween, cpuOf, readCpu } from './process-cpu';
import { parseStat, type ProcessEntry } from './process-table';

const entry = (pid: number, parent: number, ownMs: number, endedChildrenMs = 0): ProcessEntry => ({
  pid,
  parent,
  ownMs,
  endedChildrenMs,
});

describe('parseStat', () => {
  it('reads a process whose name holds spaces and parentheses', () => {
    const stat = '42 (a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 150 25 30 5 20 0 11 0 123 4567 89';
    expect(parseStat(stat)).toEqual(entry(42, 7, 1_750, 350));
  });
});

describe('cpuOf', () => {
  const runner = { name: 'runner', pid: 10, showsChildren: true };

  it('counts the process, its living children, theirs, and all that ended', () => {
    const table = [entry(1, 0, 9), entry(10, 1, 100, 40), entry(11, 10, 30, 5), entry(12, 11, 7), entry(13, 1, 1_000)];
    expect([...cpuOf([runner], table)]).toEqual([
      ['runner', 100],
      ['runner children', 40 + 30 + 5 + 7],
    ]);
  });

  it('counts the children of a server with it', () => {
    const table = [entry(20, 1, 10, 3), entry(21, 20, 50)];
    expect([...cpuOf([{ name: 'postgres', pid: 20, showsChildren: false }], table)]).toEqual([['postgres', 63]]);
  });

  it('adds the replicas of a service up', () => {
    const table = [entry(10, 1, 100), entry(11, 10, 5), entry(30, 1, 200), entry(31, 30, 6)];
    expect([...cpuOf([runner, { ...runner, pid: 30 }], table)]).toEqual([
      ['runner', 300],
      ['runner children', 11],
    ]);
  });

  it('counts 0 for a process that is not there', () => {
    expect([...cpuOf([runner], [])]).toEqual([
      ['runner', 0],
      ['runner children', 0],
    ]);
  });

  it('is the same before and after a child ended, but for what was spent', () => {
    const before = cpuOf([runner], [entry(10, 1, 100), entry(11, 10, 30)]);
    const after = cpuOf([runner], [entry(10, 1, 110, 35)]);
    expect([...cpuBetween(before, after)]).toEqual([
      ['runner', 10],
      ['runner children', 5],
    ]);
  });
});

describe('readCpu', () => {
  it('reads again if a child ended between two lines of the table', () => {
    // the child was read alive, and its parent after it had taken over the child's time
    const torn = [entry(11, 10, 30), entry(10, 1, 100, 30)];
    const tables = [torn, [entry(10, 1, 100, 30)], [entry(10, 1, 100, 30)]];
    const read = () => tables.shift() ?? [];
    expect(readCpu([{ name: 'runner', pid: 10, showsChildren: true }], read).get('runner children')).toBe(30);
  });
});
