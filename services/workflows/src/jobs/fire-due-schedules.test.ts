import { createLogger } from '@weft/service-kit/logging';
import type { LoopOptions } from '@weft/service-kit/lifecycle';
import { startFiringSchedules } from './fire-due-schedules';

describe('due schedules', () => {
  it('are found by the clock of the store, also while the clock of the process is days ahead', async () => {
    const storeMs = Date.now() - 16 * 24 * 3_600_000;
    const asked: Date[] = [];
    let woken = 0;
    let tick: LoopOptions['tick'] = () => Promise.resolve(false);
    const loop = startFiringSchedules({
      fire: (now) => {
        asked.push(now);
        return Promise.resolve({ hasMore: false, nextAt: new Date(storeMs + 20) });
      },
      everyMs: 1_000,
      startLoop: (options) => {
        ({ tick } = options);
        return { wake: () => (woken += 1), isAlive: () => true, stop: () => Promise.resolve() };
      },
      logger: createLogger('test', 'silent', process.stderr),
      clock: () => storeMs,
    });
    await tick();
    expect(asked).toEqual([new Date(storeMs)]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(woken).toBe(1);
    await loop.stop();
  });
});
