import { within } from '.';

describe('work within a time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has its result or its error, and leaves no timer', async () => {
    await expect(within(Promise.resolve(1), 100)).resolves.toBe(1);
    await expect(within(Promise.reject(new Error('refused')), 100)).rejects.toThrow('refused');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no longer waited for when the time is over, whatever becomes of it', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    const result = within(promise, 100);
    jest.advanceTimersByTime(100);
    await expect(result).resolves.toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
    reject(new Error('too late'));
    await Promise.resolve();
  });
});
