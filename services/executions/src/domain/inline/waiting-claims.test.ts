import { createWaitingClaims, LEAST_PART } from './waiting-claims';

const LONG_MS = 60_000;

/** Waiting claims, and the executions given to each. */
const setUp = () => {
  const claims = createWaitingClaims();
  const given: (readonly string[])[] = [];
  const wait = (most: number, ms = LONG_MS, signal = new AbortController().signal): Promise<void> => {
    const place = given.length;
    given.push(['waits']);
    return claims.wait({ claimId: `claim-${place}`, most, ms, signal }).then((ids) => {
      given[place] = ids;
    });
  };
  const rest = async (ids: readonly string[]): Promise<readonly string[]> => {
    const left = claims.give(ids);
    await new Promise(setImmediate);
    return left;
  };
  return { claims, given, wait, rest };
};

describe('claims that wait for offers', () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`);

  it('get offered executions in equal parts, the longest wait first', async () => {
    const { given, wait, rest } = setUp();
    for (let count = 0; count < 3; count += 1) void wait(100);
    expect(await rest(ids(3 * LEAST_PART + 1))).toEqual([]);
    expect(given.map(({ length }) => length)).toEqual([LEAST_PART + 1, LEAST_PART, LEAST_PART]);
    expect(given.flat()).toEqual(ids(3 * LEAST_PART + 1));
  });

  it('get concurrent executions in parts of a minimum size, and later ones in another claim', async () => {
    const { given, wait, rest } = setUp();
    for (let count = 0; count < 3; count += 1) void wait(100);
    expect(await rest(ids(LEAST_PART + 2))).toEqual([]);
    expect(await rest(['next'])).toEqual([]);
    expect(given).toEqual([ids(LEAST_PART + 2).slice(0, LEAST_PART), ids(LEAST_PART + 2).slice(LEAST_PART), ['next']]);
  });

  it('get no more than they request, and leave the rest to others', async () => {
    const { given, wait, rest } = setUp();
    void wait(1);
    void wait(2);
    expect(await rest(['a', 'b', 'c', 'd'])).toEqual(['d']);
    expect(given).toEqual([['a'], ['b', 'c']]);
    expect(await rest(['e'])).toEqual(['e']);
  });

  it('get nothing once their caller has disconnected: the next one in line gets it', async () => {
    const { given, wait, rest } = setUp();
    const gone = new AbortController();
    void wait(10, LONG_MS, gone.signal);
    void wait(10);
    gone.abort();
    expect(await rest(['a'])).toEqual([]);
    expect(given).toEqual([[], ['a']]);
  });

  it('end with nothing when their time is over or the replica stops, and later ones do not wait', async () => {
    const { claims, given, wait, rest } = setUp();
    await wait(10, 1);
    void wait(10);
    claims.close();
    void wait(10);
    expect(await rest(['a'])).toEqual(['a']);
    expect(given).toEqual([[], [], []]);
  });

  it('are limited: further ones do not wait', async () => {
    const { claims, given, wait, rest } = setUp();
    for (let count = 0; count < 1_001; count += 1) void wait(1);
    await rest([]);
    expect([given[999], given[1_000]]).toEqual([['waits'], []]);
    claims.close();
  });

  it('get the same executions again, and nothing more, when their response was lost', async () => {
    const { claims, given, wait, rest } = setUp();
    void wait(1);
    void wait(10);
    await rest(['a']);
    expect(claims.givenTo('claim-0')).toEqual(['a']);
    expect(claims.givenTo('claim-1')).toEqual([]);
    expect(await rest(['b'])).toEqual(['b']);
    expect(given).toEqual([['a'], []]);
    expect(claims.givenTo('unknown')).toEqual([]);
  });

  it('are remembered up to a number', async () => {
    const { claims, wait, rest } = setUp();
    for (let count = 0; count < 1_001; count += 1) {
      void wait(1);
      await rest([`run-${count}`]);
    }
    expect([claims.givenTo('claim-0'), claims.givenTo('claim-1')]).toEqual([[], ['run-1']]);
  });
});
