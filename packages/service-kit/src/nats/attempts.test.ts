import { createAttempts } from './attempts';

describe('attempts to connect to NATS', () => {
  const at = (start: number) => {
    let now = start;
    const attempts = createAttempts(() => now);
    return { attempts, wait: (ms: number) => (now += ms) };
  };
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('stay frequent while servers are unreachable, however long', () => {
    const { attempts, wait } = at(0);
    attempts.connected();
    wait(3_600_000);
    expect(attempts.delayMs()).toBe(250);
  });

  it('become less frequent while servers refuse, down to one every 5 s', () => {
    const { attempts, wait } = at(0);
    attempts.connected();
    attempts.refused();
    const delays = [0, 1_000, 3_000, 4_000, 3_600_000].map((ms) => {
      wait(ms);
      attempts.refused();
      return attempts.delayMs();
    });
    expect(delays).toEqual([250, 250, 1_000, 2_000, 5_000]);
    attempts.connected();
    expect(attempts.delayMs()).toBe(250);
  });

  it('are limited for the first connection, because the client would retry forever', () => {
    const { attempts } = at(0);
    expect(() => {
      for (;;) attempts.delayMs();
    }).toThrow('ended all connections');
    attempts.connected();
    expect(attempts.delayMs()).toBe(250);
  });
});
