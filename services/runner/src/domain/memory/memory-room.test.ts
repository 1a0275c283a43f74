import { createMemoryRoom, type Holder } from './memory-room';

const MIB = 1024 * 1024;

interface TestHolder extends Holder {
  bytes: number;
  slow: number;
}

const setUp = (roomMb: number) => {
  const holders: TestHolder[] = [];
  const room = createMemoryRoom(holders, () => roomMb * MIB);
  const given: string[] = [];
  return {
    given,
    room,
    holder: (ownerKey: string): TestHolder => {
      const holder: TestHolder = {
        ownerKey,
        bytes: 0,
        slow: 0,
        size: () => holder.bytes + holder.slow,
        slowSize: () => holder.slow,
        waiting: 0,
      };
      holders.push(holder);
      return holder;
    },
    ask: (holder: TestHolder, mb: number, name: string, signal?: AbortSignal): Promise<unknown> => {
      const take = (): void => {
        holder.bytes += mb * MIB;
        given.push(name);
      };
      const late = (): Error => new Error(`${name} is late`);
      return room.ask(holder, mb * MIB, { take, late, signal }).catch((error: unknown) => error);
    },
    slowly: (holder: TestHolder, mb: number, name: string): Promise<unknown> => {
      const take = (): void => {
        holder.slow += mb * MIB;
        given.push(name);
      };
      const late = (): Error => new Error(`${name} is late`);
      // Requests that a test leaves waiting are refused after five minutes, while another file runs.
      return room
        .ask(holder, mb * MIB, { take, late, signal: undefined, isSlow: true })
        .catch((error: unknown) => error);
    },
    end: (holder: TestHolder): void => {
      holder.bytes = 0;
      holder.slow = 0;
      room.retry();
    },
  };
};

describe('the memory for data fetched by runs', () => {
  it('is limited to half for one owner, and the rest is for others', () => {
    const { given, holder, ask, end } = setUp(100);
    const hostile = Array.from({ length: 20 }, () => holder('hostile'));
    for (const [n, run] of hostile.entries()) void ask(run, 20, `hostile ${n}`);
    expect(given).toEqual(['hostile 0', 'hostile 1']);
    for (const n of [1, 2]) void ask(holder('healthy'), 20, `healthy ${n}`);
    expect(given.slice(2)).toEqual(['healthy 1', 'healthy 2']);
    const [first] = hostile;
    if (first !== undefined) end(first);
    expect(given.slice(4)).toEqual(['hostile 2']);
  });

  it('is first given to the owner who uses the least', () => {
    const { given, holder, ask, end } = setUp(100);
    const [large, other] = [holder('a'), holder('b')];
    void ask(large, 90, 'a 1');
    void ask(other, 5, 'b 1');
    void ask(holder('b'), 20, 'b 2');
    void ask(holder('c'), 20, 'c 1');
    expect(given).toEqual(['a 1', 'b 1']);
    end(large);
    expect(given.slice(2)).toEqual(['c 1', 'b 2']);
  });

  it('is a quarter for slow responses of one owner, or more with one run, and more of it for the rest', () => {
    const { given, holder, ask, slowly } = setUp(100);
    const stalled = Array.from({ length: 5 }, () => holder('a'));
    for (const [n, run] of stalled.entries()) void slowly(run, 8, `slow ${n}`);
    expect(given).toEqual(['slow 0', 'slow 1', 'slow 2']);
    void ask(holder('a'), 60, 'a');
    void ask(holder('b'), 10, 'b');
    void slowly(holder('c'), 30, 'c');
    expect(given.slice(3)).toEqual(['a', 'b']);
  });

  it('is exceeded by one slow response at a time, when none of the others arrives', () => {
    const { given, holder, slowly, end } = setUp(20);
    const [one, two, three] = [holder('a'), holder('a'), holder('b')];
    void slowly(one, 4, 'a 1');
    void slowly(three, 16, 'b');
    void slowly(two, 4, 'a 2');
    void slowly(one, 2, 'a 1 again');
    expect(given).toEqual(['a 1', 'b']);
    void slowly(three, 2, 'b again');
    expect(given.slice(2)).toEqual(['a 2']);
    end(two);
    expect(given.slice(3)).toEqual(['a 1 again']);
  });

  it('is exceeded by one run at a time, when no other run can release any', () => {
    const { given, holder, ask, end } = setUp(100);
    const [one, two, small] = [holder('a'), holder('b'), holder('c')];
    small.bytes = MIB;
    void ask(one, 60, 'a');
    void ask(two, 30, 'b');
    void ask(one, 60, 'a again');
    expect(given).toEqual(['a', 'b']);
    void ask(two, 40, 'b again');
    expect(given.slice(2)).toEqual(['b again']);
    end(two);
    expect(given.slice(3)).toEqual(['a again']);
  });

  it('is not given to a run that was aborted, has moved on, or has waited for five minutes', async () => {
    jest.useFakeTimers();
    try {
      const { room, given, holder, ask, end } = setUp(100);
      const [large, gone, late] = [holder('a'), holder('b'), holder('c')];
      void ask(large, 100, 'a');
      const givenUp = new AbortController();
      const answers = [
        ask(gone, 1, 'given up', givenUp.signal),
        ask(gone, 1, 'forgotten'),
        ask(late, 1, 'late'),
        ask(late, 1, 'never', AbortSignal.abort('before')),
      ];
      givenUp.abort('ended');
      room.forget(gone);
      jest.advanceTimersByTime(300_000);
      expect((await Promise.all(answers)).map(String)).toEqual([
        'ended',
        'Error: The run continued without it.',
        'Error: late is late',
        'before',
      ]);
      end(large);
      expect([given, gone.waiting, late.waiting]).toEqual([['a'], 0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
