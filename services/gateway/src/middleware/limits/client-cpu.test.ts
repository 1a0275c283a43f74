import { ClientOverShare } from '../../errors';
import { ClientCpu } from './client-cpu';

/** A thread whose clock and CPU a test moves, and which is busy. */
const thread = (isBusy = true) => {
  let [now, cpu] = [0, 0];
  const client = new ClientCpu({ now: () => now, cpuMs: () => cpu, utilization: () => (isBusy ? 1 : 0.5) });
  return {
    client,
    /** Works for a client, or for callers with a key. */
    work: (address: string | undefined, ms: number): void => {
      if (address === undefined) client.beginWithKey();
      else client.begin(address);
      now += ms;
      cpu += ms;
      client.resume();
    },
    pass: (ms: number): void => {
      now += ms;
    },
  };
};

describe('the thread of a gateway, for callers without a key', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is free for all while no other sender wants it', () => {
    const { client, work } = thread();
    work('10.0.0.1', 5_000);
    expect(client.admit('10.0.0.1')).toBeUndefined();
  });

  it('is free for all while it is not busy', () => {
    const { client, work } = thread(false);
    work(undefined, 1);
    work('10.0.0.1', 5_000);
    expect(client.admit('10.0.0.1')).toBeUndefined();
  });

  it('lets only those wait who had more than their share, until that is long enough ago', async () => {
    const { client, work } = thread();
    work('10.0.0.1', 1_000);
    work('10.0.0.2', 50);
    work(undefined, 1);
    expect(client.admit('10.0.0.2')).toBeUndefined();
    let isAdmitted = false;
    const turn = client.admit('10.0.0.1')?.then(() => (isAdmitted = true));
    await jest.advanceTimersByTimeAsync(100);
    expect(isAdmitted).toBe(false);
    work(undefined, 3_000);
    await jest.advanceTimersByTimeAsync(100);
    await turn;
    expect(isAdmitted).toBe(true);
  });

  it('counts the addresses of a network together', () => {
    const { client, work } = thread();
    work('2001:db8::1', 1_000);
    work(undefined, 1);
    expect(client.admit('2001:db8::2')).toBeInstanceOf(Promise);
    expect(client.admit('2001:db8:0:1::2')).toBeUndefined();
  });

  it('refuses the requests of a block with many that wait, and those that have waited for long', async () => {
    const { client, work, pass } = thread();
    work('10.0.0.1', 60_000);
    work(undefined, 1);
    const waiting = Array.from({ length: 100 }, () => client.admit('10.0.0.1'));
    const outcomes = Promise.allSettled(waiting.map(async (turn) => turn));
    expect(() => client.admit('10.0.0.1')).toThrow(ClientOverShare);
    pass(5_001);
    work(undefined, 1);
    await jest.advanceTimersByTimeAsync(50);
    expect((await outcomes).map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'rejected'));
  });
});
