import {
  InternalError,
  RateLimitExceeded,
  ServiceError,
  TimedOut,
  Unauthorized,
  Unavailable,
} from '@weft/service-kit/errors';
import { EntryFailed, retryWhileHeld } from './retry-while-held';

const failing = (times: number, error: Error) => {
  const tried = {
    tries: 0,
    call: (): Promise<string> => (++tried.tries <= times ? Promise.reject(error) : Promise.resolve('done')),
  };
  return tried;
};

describe('a call of a run', () => {
  it.each([
    new Unavailable('down'),
    new TimedOut(),
    new InternalError(),
    new Unauthorized(),
    new RateLimitExceeded(1, 1),
  ])('is repeated without a response about the run: $kind', async (error) => {
    const { call } = failing(2, error);
    expect(await retryWhileHeld(call, new AbortController().signal)).toBe('done');
  });

  it('fails when the claim is lost', async () => {
    const controller = new AbortController();
    let tries = 0;
    const write = () => {
      tries += 1;
      controller.abort('lost');
      return Promise.reject(new Unavailable('down'));
    };
    await expect(retryWhileHeld(write, controller.signal)).rejects.toThrow('down');
    expect(tries).toBe(1);
  });

  it('is repeated for a released run, which holds its claim until the release is reported', async () => {
    const controller = new AbortController();
    controller.abort('release');
    const { call } = failing(2, new Unavailable('down'));
    expect(await retryWhileHeld(call, controller.signal)).toBe('done');
  });

  it('is not repeated when the service refused it', async () => {
    const refused = failing(9, new ServiceError({ reason: 'TOO_MUCH', kind: 'invalid', message: 'no' }));
    await expect(retryWhileHeld(refused.call, new AbortController().signal)).rejects.toThrow('no');
    expect(refused.tries).toBe(1);
  });

  it('ends after a limited number of tries when the service fails for this entry', async () => {
    jest.useFakeTimers();
    const poison = failing(100, new EntryFailed('always'));
    const ended = expect(retryWhileHeld(poison.call, new AbortController().signal)).rejects.toThrow('always');
    await jest.advanceTimersByTimeAsync(60_000);
    await ended;
    jest.useRealTimers();
    expect(poison.tries).toBe(10);
  });

  it('is repeated while a small write for the claim fails as well', async () => {
    jest.useFakeTimers();
    const unwell = failing(40, new EntryFailed('unwell'));
    let asked = 0;
    const witness = (): Promise<void> => {
      asked += 1;
      return Promise.reject(new Unavailable('down'));
    };
    const done = retryWhileHeld(unwell.call, new AbortController().signal, { witness });
    await jest.advanceTimersByTimeAsync(200_000);
    expect(await done).toBe('done');
    jest.useRealTimers();
    expect(asked).toBeGreaterThan(10);
  });

  it('begins to count again after any other error', async () => {
    jest.useFakeTimers();
    let tries = 0;
    const call = (): Promise<string> => {
      tries += 1;
      if (tries > 30) return Promise.resolve('done');
      return Promise.reject(tries % 5 === 0 ? new Unavailable('down') : new EntryFailed('unwell'));
    };
    const done = retryWhileHeld(call, new AbortController().signal);
    await jest.advanceTimersByTimeAsync(200_000);
    expect(await done).toBe('done');
    jest.useRealTimers();
  });
});
