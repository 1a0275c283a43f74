import { closeAfterEach, silentLogger, until } from '../testing';
import { startLoop, type Loop } from './loop';

describe('a background loop', () => {
  const later = closeAfterEach();
  const started: typeof startLoop = (options) => later(startLoop(options), (loop) => loop.stop());

  it('turns again after a turn that failed', async () => {
    let turns = 0;
    const loop = started({
      name: 'test',
      everyMs: 1,
      logger: silentLogger(),
      turn: () => {
        turns += 1;
        return turns === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
      },
    });
    await until('a second turn', () => turns > 1);
    expect(loop.isTurning()).toBe(true);
  });

  it('turns at once when woken or when there is more to do, and never twice at a time', async () => {
    let turns = 0;
    let atOnce = 0;
    const loop = started({
      name: 'test',
      everyMs: 3_600_000,
      logger: silentLogger(),
      turn: async () => {
        atOnce += 1;
        expect(atOnce).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        turns += 1;
        return turns === 1;
      },
    });
    await until('the turn that was asked for', () => turns === 2);
    loop.wake();
    await until('the turn after a wake', () => turns === 3);
  });

  it('turns once more at once when it is woken in the middle of a turn, however often', async () => {
    let turns = 0;
    const loop: Loop = started({
      name: 'test',
      everyMs: 3_600_000,
      logger: silentLogger(),
      turn: async () => {
        turns += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (turns === 1) for (let times = 0; times < 3; times += 1) loop.wake();
      },
    });
    await until('the turn that was asked for', () => turns === 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toBe(2);
  });

  it('has ended its turn when stop resolves, and turns no more', async () => {
    let turns = 0;
    const loop = started({
      name: 'test',
      everyMs: 0,
      logger: silentLogger(),
      turn: () => {
        turns += 1;
        return Promise.resolve();
      },
    });
    await until('a turn', () => turns > 0);
    await loop.stop();
    const before = turns;
    loop.wake();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(turns).toBe(before);
  });
});
