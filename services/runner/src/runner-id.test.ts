import { createChildId, createRunnerId } from './runner-id';

const partsOf = (id: string): readonly string[] => id.split('.');

describe('the id of a runner', () => {
  it('keeps its first part at the next start on the same port, and sorts by start', () => {
    const [first, second] = [partsOf(createRunnerId(7004)), partsOf(createRunnerId(7004))];
    expect(first).toHaveLength(2);
    expect(second[0]).toBe(first[0]);
    expect([first[1], second[1]].sort()).toEqual([first[1], second[1]]);
    expect(first[1]).not.toBe(second[1]);
  });

  it('is of another runner on another port, and of none without a fixed one', () => {
    const runners = [7004, 7005, 0, 0].map((port) => partsOf(createRunnerId(port))[0]);
    expect(new Set(runners).size).toBe(4);
  });

  it('has a third part for a child process, and fits into a lease', () => {
    const runner = createRunnerId(7004);
    const child = createChildId(runner);
    expect(partsOf(child).slice(0, 2)).toEqual(partsOf(runner));
    expect([createChildId(runner) === child, child.length <= 100]).toEqual([false, true]);
  });
});
