import { createTurnWatch, type TurnWatch } from './turn-watch';

describe('the measure of a turn', () => {
  let threadMs = 0;
  let collectorsMs = 0;
  let watch: TurnWatch;
  beforeEach(() => {
    watch = createTurnWatch();
  });
  const observe = (holder: number, turn: number): number =>
    watch.observe({ holder, turn, threadMs: () => threadMs, collectorsMs: () => collectorsMs });
  /** A reading after the thread has used so much CPU. */
  const after = (usedMs: number, holder: number, turn: number): number => {
    threadMs += usedMs;
    return observe(holder, turn);
  };

  it('is the CPU time since it was first seen, whatever time has passed', () => {
    expect([after(0, 1, 7), after(50, 1, 7), after(0, 1, 7), after(30, 1, 7)]).toEqual([0, 50, 50, 80]);
  });

  it('begins again with each turn, also of the same run, and is nothing while no run has the thread', () => {
    after(0, 1, 7);
    expect([after(400, 1, 7), after(400, 1, 9), after(90, 1, 9)]).toEqual([400, 0, 90]);
    expect([after(400, 0, 10), after(400, 0, 10), after(400, 2, 11), after(20, 2, 11)]).toEqual([0, 0, 0, 20]);
  });

  it('counts a quarter of the time in which garbage is collected', () => {
    after(0, 1, 7);
    collectorsMs += 3;
    expect(after(40, 1, 7)).toBe(10);
    collectorsMs += 1;
    expect(after(40, 1, 7)).toBe(50);
  });

  it('reads no times while no run has the thread', () => {
    const unread = (): never => {
      throw new Error('must not be read');
    };
    for (const turn of [1, 2, 3])
      expect(watch.observe({ holder: 0, turn, threadMs: unread, collectorsMs: unread })).toBe(0);
  });
});
