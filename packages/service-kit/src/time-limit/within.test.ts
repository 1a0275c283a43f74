import { within } from '.';

describe('work with a time limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('passes on its result or error, and leaves no timer', async () => {
    await expect(within(Promise.resolve(1), 100)).resolves.toBe(1);
    await expect(within(Promise.reject(new Error('refused')), 100)).rejects.toThrow('refused');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no longer awaited after the limit, whatever its outcome', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    const result = within(promise, 100);
    jest.advanceTimersByTime(100);
    await expect(result).resolves.toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
    reject(new Error('too late'));
    await Promise.resolve();
  });
});
