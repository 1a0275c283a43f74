import { Unauthorized, Unavailable } from '../errors';
import { createFailureLimit, MAX_FAILURES, TooManyWrongKeys } from './failure-limit';

describe('the limit of wrong keys', () => {
  let now = 0;
  let checks = 0;
  const limit = () => {
    now = 1_000;
    checks = 0;
    return createFailureLimit(() => now);
  };
  const wrong = (): Promise<never> => {
    checks += 1;
    return Promise.reject(new Unauthorized());
  };
  const right = () => Promise.resolve('user');
  const use = async ({ check }: ReturnType<typeof createFailureLimit>, client: string, from: number, to: number) => {
    for (let index = from; index < to; index += 1) await check(client, `wrong-${index}`, wrong).catch(() => undefined);
  };

  it('checks no more keys of a client after 100 wrong ones in a minute', async () => {
    const limited = limit();
    await use(limited, 'a', 0, MAX_FAILURES + 50);
    // One is checked every 500 ms.
    expect(checks).toBe(MAX_FAILURES + 1);
    await expect(limited.check('a', 'another', wrong)).rejects.toBeInstanceOf(TooManyWrongKeys);
    now += 60_000;
    await expect(limited.check('a', 'another', wrong)).rejects.toBeInstanceOf(Unauthorized);
  });

  it('locks out neither other clients, nor keys known to be right, nor, for long, unknown right ones', async () => {
    const limited = limit();
    await limited.check('a', 'known', right);
    await use(limited, 'a', 0, MAX_FAILURES + 1);
    await expect(limited.check('b', 'wrong', wrong)).rejects.toBeInstanceOf(Unauthorized);
    await expect(limited.check('a', 'known', right)).resolves.toBe('user');
    await expect(limited.check('a', 'new', right)).rejects.toBeInstanceOf(TooManyWrongKeys);
    now += 500;
    await expect(limited.check('a', 'new', right)).resolves.toBe('user');
    await expect(limited.check('a', 'new', right)).resolves.toBe('user');
  });

  it('forgets a key that is wrong from now on, and does not count failures of other kinds', async () => {
    const limited = limit();
    await limited.check('a', 'known', right);
    for (let index = 0; index <= MAX_FAILURES; index += 1)
      await limited.check('a', `k${index}`, () => Promise.reject(new Unavailable('away'))).catch(() => undefined);
    await expect(limited.check('a', 'known', wrong)).rejects.toBeInstanceOf(Unauthorized);
    await use(limited, 'a', 0, MAX_FAILURES);
    await expect(limited.check('a', 'known', wrong)).rejects.toBeInstanceOf(TooManyWrongKeys);
  });

  it('lets any number of concurrent calls with one key share a check', async () => {
    const limited = limit();
    const calls = Array.from({ length: 5_000 }, () => limited.check('a', 'new', right));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['user']));
  });

  it('does not limit calls whose address is unknown', async () => {
    const limited = limit();
    await use(limited, '', 0, 2 * MAX_FAILURES);
    expect(checks).toBe(2 * MAX_FAILURES);
  });
});
