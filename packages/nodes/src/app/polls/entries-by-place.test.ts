import { changedByPlace, hashesOf, MAX_ENTRIES, placedStateJson, readPlacedState } from './entries-by-place';
import { MAX_EVENTS } from './entries-by-time';

const never = () => false;
const changes = (
  before: string[],
  after: string[],
  wanted: 'added' | 'updated' | 'both' = 'both',
  isEmpty = never as (index: number) => boolean,
) => changedByPlace(hashesOf(before), hashesOf(after), wanted, isEmpty);

describe('entries without times', () => {
  it('are added after the last known one, and updated where they differ', () => {
    const { events, next } = changes(['a', 'b'], ['a', 'x', 'c']);
    expect(events).toEqual([
      { index: 1, change: 'updated' },
      { index: 2, change: 'added' },
    ]);
    expect(next).toEqual(hashesOf(['a', 'x', 'c']));
    expect(changes(['a', 'b'], ['a', 'x', 'c'], 'added').events).toEqual([{ index: 2, change: 'added' }]);
    expect(changes(['a', 'b'], ['a', 'x', 'c'], 'updated').events).toEqual([{ index: 1, change: 'updated' }]);
  });

  it('that are empty or were removed start nothing', () => {
    expect(changes(['a', 'b'], ['a']).events).toEqual([]);
    expect(changes(['a'], ['a', ''], 'both', (index) => index === 1).events).toEqual([]);
  });

  it('that do not fit into one run follow in the next ones, each once', () => {
    const count = 2 * MAX_EVENTS + 10;
    const before = Array.from({ length: count }, (_, index) => `b${index}`);
    const after = [...before.map((_, index) => `a${index}`), ...Array.from({ length: 100 }, (_, index) => `n${index}`)];
    let known = hashesOf(before);
    const seen: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      const { events, next } = changedByPlace(known, hashesOf(after), 'both', never);
      expect(events.length).toBeLessThanOrEqual(MAX_EVENTS);
      seen.push(...events.map(({ index }) => index));
      known = next;
    }
    expect(seen.sort((one, other) => one - other)).toEqual(after.map((_, index) => index));
  });

  it('are refused if there are too many, and the most fit into the state of a node', () => {
    const most = Array.from({ length: MAX_ENTRIES }, (_, index) => String(index));
    const state = placedStateJson({ source: 's', hashes: hashesOf(most) });
    // The state is stored twice while a run begins, in an entry of 1 MiB.
    expect(2 * JSON.stringify(state).length).toBeLessThan(500_000);
    expect(readPlacedState(state, 's')?.hashes).toEqual(hashesOf(most));
    expect(() => hashesOf([...most, 'x'])).toThrow('The list has 50001 entries.');
  });

  it('of another list have no state', () => {
    const state = placedStateJson({ source: 's', hashes: hashesOf(['a']) });
    expect(readPlacedState(state, 'other')).toBeUndefined();
    for (const stored of [undefined, null, {}, { source: 's' }]) expect(readPlacedState(stored, 's')).toBeUndefined();
  });
});
