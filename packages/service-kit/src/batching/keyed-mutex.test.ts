import { KeyedMutex } from './keyed-mutex';

const tick = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('KeyedMutex', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('serializes work on one key, and lets work on different keys run concurrently', async () => {
    const turns = new KeyedMutex();
    const log: string[] = [];
    const work = (key: string, name: string) =>
      turns.take(key, async () => {
        log.push(`${name} begins`);
        await tick();
        log.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all([work('a', '1'), work('a', '2'), work('b', '3')])).toEqual(['1', '2', '3']);
    expect(log.slice(0, 3)).toEqual(['1 begins', '3 begins', '1 ends']);
    expect(log.indexOf('2 begins')).toBeGreaterThan(log.indexOf('1 ends'));
  });

  it('releases the key when work fails', async () => {
    const turns = new KeyedMutex();
    const failing = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('stops waiting after its limit', async () => {
    jest.useFakeTimers();
    const turns = new KeyedMutex();
    void turns.take('a', () => new Promise(() => undefined));
    const next = turns.take('a', () => Promise.resolve('done'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await next).toBe('done');
  });
});
