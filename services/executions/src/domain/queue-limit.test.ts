import { createQueueLimit } from './queue-limit';

describe('the limit of the queue', () => {
  const limited = (limit: number) => {
    const state = { queued: 0, now: 0, counts: 0 };
    const count = (upTo: number): Promise<number> => {
      state.counts += 1;
      return state.queued < 0 ? Promise.reject(new Error('down')) : Promise.resolve(Math.min(upTo, state.queued));
    };
    return { state, check: createQueueLimit(count, limit, () => state.now) };
  };

  it('refuses while the queue is full and lets in again when it is not', async () => {
    const { state, check } = limited(5);
    state.queued = 5;
    await expect(check()).rejects.toMatchObject({ reason: 'QUEUE_FULL', retryAfterSeconds: 5 });
    state.queued = 4;
    state.now = 1_000;
    await expect(check()).resolves.toBeUndefined();
  });

  it('counts at most once a second', async () => {
    const { state, check } = limited(5);
    for (let n = 0; n < 100; n += 1) await check();
    state.now = 999;
    await check();
    expect(state.counts).toBe(1);
    state.now = 1_000;
    await check();
    expect(state.counts).toBe(2);
  });

  it('refuses nothing because it cannot count: the insert will fail by itself', async () => {
    const { state, check } = limited(5);
    state.queued = -1;
    await expect(check()).resolves.toBeUndefined();
  });

  it('counts again after the clock was set back', async () => {
    const { state, check } = limited(5);
    await check();
    state.now = -5_000;
    await check();
    expect(state.counts).toBe(2);
  });
});
