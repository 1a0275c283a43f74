import { createThreadAccounts, LONG_THREAD_MS } from './thread-accounts';

/** Thread accounts, and the owners who were marked as over their share. */
const setUp = () => {
  const marked: string[] = [];
  const overShareOwners = {
    mark: (owner: string) => marked.push(owner),
    has: (owner: string) => marked.includes(owner),
  };
  return { marked, open: createThreadAccounts({ overShareOwners, clock: () => 0 }) };
};

describe('the thread of a runner', () => {
  it('is left, also within nodes, by all runs of an owner after one of them had it for long', () => {
    const { marked, open } = setUp();
    const [long, same, other] = [open('a'), open('a'), open('b')];
    const runs = [long, same, other];
    let had = 0;
    const hadShortTurns = (until: number): void => {
      while (had < until) long.had((had += 20));
    };
    hadShortTurns(LONG_THREAD_MS - 20);
    expect(runs.map((run) => run.had(run === long ? had : 0))).toEqual([false, false, false]);
    hadShortTurns(LONG_THREAD_MS);
    expect(runs.map((run) => run.had(run === long ? had : 0))).toEqual([true, true, false]);
    hadShortTurns(2 * LONG_THREAD_MS - 20);
    expect(marked).toEqual(['a']);
    hadShortTurns(2 * LONG_THREAD_MS);
    expect(marked).toEqual(['a', 'a']);
  });

  it('is left by the runs of an owner who uses it with many runs at the expense of others', () => {
    const { marked, open } = setUp();
    const healthy = open('healthy');
    const hadOnce = (): boolean => open('hostile').had(700);
    expect([hadOnce(), hadOnce(), hadOnce()]).toEqual([false, false, true]);
    expect(healthy.had(10)).toBe(false);
    expect(marked).toEqual(['hostile']);
  });
});
