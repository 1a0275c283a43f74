import { setTimeout } from 'node:timers/promises';
import { currentContext, withContext } from '../context';
import { closeAfterEach, testLogger, until } from '../testing';
import { startLoop, type Loop } from './loop';

describe('a background loop', () => {
  const later = closeAfterEach();
  const started: typeof startLoop = (options) => later(startLoop(options), (loop) => loop.stop());

  it('ticks again after a failed tick', async () => {
    let ticks = 0;
    const loop = started({
      name: 'test',
      everyMs: 1,
      logger: testLogger(),
      tick: () => {
        ticks += 1;
        return ticks === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
      },
    });
    await until('a second tick', () => ticks > 1);
    expect(loop.isAlive()).toBe(true);
  });

  it('ticks immediately when woken or when there is more to do, and never concurrently', async () => {
    let ticks = 0;
    let concurrent = 0;
    const loop = started({
      name: 'test',
      everyMs: 3_600_000,
      logger: testLogger(),
      tick: async () => {
        concurrent += 1;
        expect(concurrent).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        concurrent -= 1;
        ticks += 1;
        return ticks === 1;
      },
    });
    await until('the requested tick', () => ticks === 2);
    loop.wake();
    await until('the tick after a wake', () => ticks === 3);
  });

  it('ticks outside the request that woke or started it', async () => {
    const contexts: unknown[] = [];
    const loop = withContext({ requestId: 'r', deadline: 0 }, () =>
      started({
        name: 'test',
        everyMs: 3_600_000,
        logger: testLogger(),
        tick: () => Promise.resolve(contexts.push(currentContext()) === 2),
      }),
    );
    await until('the first tick', () => contexts.length === 1);
    withContext({ requestId: 'r', deadline: 0 }, loop.wake);
    await until('the requested tick, and one more', () => contexts.length === 3);
    expect(contexts).toEqual([undefined, undefined, undefined]);
  });

  it('ticks once more immediately when it is woken during a tick, however often', async () => {
    let ticks = 0;
    const loop: Loop = started({
      name: 'test',
      everyMs: 3_600_000,
      logger: testLogger(),
      tick: async () => {
        ticks += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (ticks === 1) for (let times = 0; times < 3; times += 1) loop.wake();
      },
    });
    await until('the requested tick', () => ticks === 2);
    await setTimeout(20);
    expect(ticks).toBe(2);
  });

  it('has finished its tick when stop resolves, and does not tick again', async () => {
    let ticks = 0;
    const loop = started({
      name: 'test',
      everyMs: 0,
      logger: testLogger(),
      tick: () => {
        ticks += 1;
        return Promise.resolve();
      },
    });
    await until('a tick', () => ticks > 0);
    await loop.stop();
    const before = ticks;
    loop.wake();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(ticks).toBe(before);
  });
});
