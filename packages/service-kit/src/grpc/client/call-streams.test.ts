import { leastLoaded } from './call-streams';

const stream = (name: string, calls: number, isQuiet = false) => ({
  name,
  underWay: () => calls,
  isQuiet: () => isQuiet,
});

describe('the stream for the calls of a tick', () => {
  it('is the first stream with few calls, even if others have fewer', () => {
    expect(leastLoaded([stream('a', 70), stream('b', 63), stream('c', 0)])?.name).toBe('b');
  });

  it('is the stream with the fewest calls if all have many', () => {
    expect(leastLoaded([stream('a', 70), stream('b', 64), stream('c', 65)])?.name).toBe('b');
  });

  it('is not one of a stalled peer as long as another peer responds, however busy', () => {
    expect(leastLoaded([stream('a', 1, true), stream('b', 900), stream('c', 65)])?.name).toBe('c');
    expect(leastLoaded([stream('a', 9, true), stream('b', 1, true)])?.name).toBe('a');
    expect(leastLoaded([])).toBeUndefined();
  });
});
