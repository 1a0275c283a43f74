import { leastLoaded } from './call-streams';

const stream = (name: string, calls: number, isQuiet = false) => ({
  name,
  underWay: () => calls,
  isQuiet: () => isQuiet,
});

describe('the stream for the calls of a tick', () => {
  it('is the first with few calls, however few the others have', () => {
    expect(leastLoaded([stream('a', 70), stream('b', 63), stream('c', 0)])?.name).toBe('b');
  });

  it('is the one with the fewest where all have many', () => {
    expect(leastLoaded([stream('a', 70), stream('b', 64), stream('c', 65)])?.name).toBe('b');
  });

  it('is none of a peer that may stand still as long as another one answers, however busy that is', () => {
    expect(leastLoaded([stream('a', 1, true), stream('b', 900), stream('c', 65)])?.name).toBe('c');
    expect(leastLoaded([stream('a', 9, true), stream('b', 1, true)])?.name).toBe('a');
    expect(leastLoaded([])).toBeUndefined();
  });
});
