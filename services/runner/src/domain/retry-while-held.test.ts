import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { retryWhileHeld } from './retry-while-held';

describe('a write of a run', () => {
  it('is repeated while the service cannot be reached', async () => {
    let tries = 0;
    const write = () => (++tries < 3 ? Promise.reject(new Unavailable('down')) : Promise.resolve('done'));
    expect(await retryWhileHeld(write, new AbortController().signal)).toBe('done');
    expect(tries).toBe(3);
  });

  it('is given up when the claim is gone', async () => {
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

  it('is not repeated when the service refused it', async () => {
    let tries = 0;
    const write = () => {
      tries += 1;
      return Promise.reject(new ServiceError({ reason: 'TOO_MUCH', kind: 'invalid', message: 'no' }));
    };
    await expect(retryWhileHeld(write, new AbortController().signal)).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});
