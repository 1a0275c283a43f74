import { MAX_EVENTS, newByTime, readTimedState, type TimedState } from './entries-by-time';

const NOW = 100_000_000;
const entry = (key: string, at: number) => ({ key, at });
const STATE: TimedState = { since: NOW - 10, keys: ['a'] };
const keysOf = (result: ReturnType<typeof newByTime>) => result.events.map(({ key }) => key);

describe('entries with times', () => {
  it('are new if they are newer than the state, or of its time and not known; the newest first', () => {
    const found = newByTime(
      [entry('a', NOW - 10), entry('b', NOW - 10), entry('old', NOW - 11), entry('c', NOW - 5)],
      STATE,
      NOW,
    );
    expect(keysOf(found)).toEqual(['c', 'b']);
    expect(found.next).toEqual({ since: NOW - 5, keys: ['c'] });
    expect(
      keysOf(newByTime([entry('b', NOW - 10), entry('c', NOW - 5)], readTimedState(found.next) ?? STATE, NOW)),
    ).toEqual([]);
  });

  it('that are known and have changed since are new, the newest of each key once', () => {
    const found = newByTime([entry('a', NOW - 2), entry('a', NOW - 5), entry('a', NOW - 10)], STATE, NOW);
    expect(found).toMatchObject({ events: [{ key: 'a', at: NOW - 2 }], next: { since: NOW - 2, keys: ['a'] } });
  });

  it('that are known at the time of the state stay known', () => {
    const found = newByTime([entry('b', NOW - 10)], STATE, NOW);
    expect(found.next).toEqual({ since: NOW - 10, keys: ['a', 'b'] });
  });

  it('of the future, or without a time, are not new yet, and hide no others', () => {
    const found = newByTime([entry('later', NOW + 1), entry('never', Number.NaN), entry('b', NOW)], STATE, NOW);
    expect(keysOf(found)).toEqual(['b']);
    expect(keysOf(newByTime([entry('later', NOW + 1)], readTimedState(found.next) ?? STATE, NOW + 1))).toEqual([
      'later',
    ]);
  });

  it('that do not fit into one run follow in the next ones, the oldest first', () => {
    const all = Array.from({ length: 2 * MAX_EVENTS + 1 }, (_, index) =>
      entry(`k${index}`, NOW - 9_000 + index),
    ).reverse();
    let state: TimedState = { since: NOW - 100_000_000, keys: [] };
    const seen: string[] = [];
    for (const count of [MAX_EVENTS, MAX_EVENTS, 1, 0]) {
      const found = newByTime(all, state, NOW);
      expect(found.events).toHaveLength(count);
      seen.push(...keysOf(found));
      state = readTimedState(found.next) ?? state;
    }
    expect(new Set(seen).size).toBe(all.length);
  });

  it('move the state on within a day if there are none', () => {
    const day = 24 * 3_600_000;
    expect(newByTime([], { since: 0, keys: ['x'] }, 10 * day).next).toEqual({ since: 9 * day, keys: [] });
  });

  it('have no state if anything else is stored', () => {
    for (const stored of [undefined, null, 'x', {}, { since: 'x' }]) expect(readTimedState(stored)).toBeUndefined();
  });
});
