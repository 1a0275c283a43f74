import { Unavailable } from '../../errors';
import { createQueuedCalls } from './queued-calls';

const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('calls of background work', () => {
  it('wait in order, and are refused only if too many wait', async () => {
    const guard = createQueuedCalls({ service: 'x', concurrency: 2, maxQueued: 3 });
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const calls = Array.from({ length: 5 }, (_, index) =>
      guard(() => {
        begun.push(index);
        return new Promise<number>((resolve) => ends.push(() => resolve(index)));
      }),
    );
    await expect(guard(() => Promise.resolve(0))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(begun).toEqual([0, 1]);
    for (let ended = 0; ended < 5; ended += 1) {
      ends[ended]?.();
      await flush();
    }
    expect([await Promise.all(calls), begun]).toEqual([
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
    ]);
  });

  it('continue, however many calls have failed', async () => {
    const guard = createQueuedCalls({ service: 'x', concurrency: 1, maxQueued: 100 });
    const failed = await Promise.allSettled(
      Array.from({ length: 60 }, () => guard(() => Promise.reject(new Unavailable('down')))),
    );
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await guard(() => Promise.resolve('back'))).toBe('back');
  });
});
