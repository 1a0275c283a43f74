import { jest } from '@jest/globals';
import { IdleProcesses } from './idle-processes';

describe('idle processes', () => {
  const processOf = (memoryMb: number) => {
    const process = { looks: 0, isKilled: false, memoryMb };
    return Object.assign(process, {
      memory: () => {
        process.looks += 1;
        return { residentMb: process.memoryMb, ownMb: process.memoryMb / 2 };
      },
      kill: () => {
        process.isKilled = true;
      },
    });
  };
  const open = (eachMb?: number, togetherMb?: number) =>
    new IdleProcesses<ReturnType<typeof processOf>>({ eachMb, togetherMb });
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
  });

  it('return to their owner, most recently used first, and are evicted longest idle first', () => {
    const idle = open();
    const [a, b, c] = [processOf(1), processOf(2), processOf(3)];
    idle.add(a, 'one');
    idle.add(b, 'two');
    idle.add(c, 'one');
    expect([idle.takeLast('one'), idle.takeLast('none'), idle.takeLongest(), idle.count]).toEqual([c, undefined, a, 1]);
    expect([idle.remove(b), idle.remove(b), idle.since]).toEqual([true, false, undefined]);
  });

  it('are ended soon if they hold much memory, which is checked once however often they ran', () => {
    const idle = open(100);
    const [small, large] = [processOf(99), processOf(101)];
    for (let run = 0; run < 5; run += 1) {
      for (const process of [small, large]) {
        idle.add(process, 'one');
        jest.advanceTimersByTime(1);
        idle.takeLast('one');
      }
    }
    idle.add(small, 'one');
    idle.add(large, 'one');
    jest.advanceTimersByTime(20);
    expect([small, large].map(({ looks, isKilled }) => [looks, isKilled])).toEqual([
      [1, false],
      [1, true],
    ]);
    expect([idle.takeLast('one'), idle.count]).toEqual([small, 0]);
  });

  it('are checked when they are idle again if they had a run meanwhile', () => {
    const idle = open(100);
    const large = processOf(101);
    idle.add(large, 'one');
    idle.takeLast('one');
    jest.advanceTimersByTime(20);
    expect(large.isKilled).toBe(false);
    idle.add(large, 'one');
    jest.advanceTimersByTime(20);
    expect(large.isKilled).toBe(true);
  });

  it('have a joint memory limit, above which those idle longest are ended', () => {
    const idle = open(1_000, 50);
    const [first, second, third] = [processOf(40), processOf(40), processOf(40)];
    idle.add(first, 'one');
    idle.add(second, 'two');
    jest.advanceTimersByTime(20);
    expect(idle.count).toBe(2);
    idle.add(third, 'three');
    jest.advanceTimersByTime(20);
    expect([first, second, third].map(({ isKilled }) => isKilled)).toEqual([true, false, false]);
    expect(idle.count).toBe(2);
  });

  it('are ended after a minute, but not during a run', () => {
    const idle = open();
    const [left, taken] = [processOf(1), processOf(1)];
    idle.add(left, 'one');
    idle.add(taken, 'two');
    idle.takeLast('two');
    jest.advanceTimersByTime(60_000);
    expect([left.isKilled, taken.isKilled]).toEqual([true, false]);
  });
});
