import { closeAfterEach, testLogger } from '../testing';
import { createIdlePolls } from './idle-polls';

const EVERY_MS = 500;

/** Polls a store with one due time, under fake timers; counts the reads. */
const setUp = () => {
  const world = {
    events: 0,
    learnsAll: true,
    dueAt: undefined as number | undefined,
    isDone: true,
    reads: 0,
    searches: 0,
  };
  const logger = testLogger();
  const polls = createIdlePolls({
    countEvents: () => world.events,
    learnsAll: () => world.learnsAll,
    findNextDue: (until) => {
      world.searches += 1;
      const { dueAt } = world;
      return Promise.resolve(dueAt === undefined || dueAt >= until.getTime() ? undefined : new Date(dueAt));
    },
    logger,
    clock: Date.now,
  });
  const loop = polls.startLoop({
    name: 'poll',
    everyMs: EVERY_MS,
    logger,
    tick: async () => {
      world.reads += 1;
      if (world.isDone && world.dueAt !== undefined && world.dueAt <= Date.now()) world.dueAt = undefined;
    },
  });
  /** Lets time pass. @returns the number of reads meanwhile */
  const pass = async (ms: number): Promise<number> => {
    const before = world.reads;
    await jest.advanceTimersByTimeAsync(ms);
    return world.reads - before;
  };
  return { world, pass, stop: () => Promise.all([polls.watch.stop(), loop.stop()]) };
};

describe('polls that pause', () => {
  const later = closeAfterEach();
  const paused = async () => {
    const scene = later(setUp(), ({ stop }) => stop());
    await scene.pass(15_000);
    return scene;
  };
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('read once a minute while nothing happens', async () => {
    const { world, pass } = await paused();
    world.searches = 0;
    expect(await pass(600_000)).toBeLessThanOrEqual(30);
    expect(world.searches).toBeLessThanOrEqual(10);
    expect(world.reads).toBeGreaterThan(30);
  });

  it('read at their interval from the next event on', async () => {
    const { world, pass } = await paused();
    expect(await pass(5_000)).toBe(0);
    world.events += 1;
    expect(await pass(EVERY_MS + 2)).toBeGreaterThanOrEqual(1);
    expect(await pass(8_000)).toBeGreaterThanOrEqual(15);
  });

  it('find due work no later than without pauses', async () => {
    for (const ms of [1_000, 7_300, 59_000, 61_000, 200_000]) {
      const { world, pass } = await paused();
      world.events += 1;
      world.dueAt = Date.now() + ms;
      await pass(ms - 1);
      expect(world.dueAt).toBeDefined();
      await pass(EVERY_MS + 2);
      expect(world.dueAt).toBeUndefined();
    }
  });

  it('do not pause while something is due or events of other processes would be missed', async () => {
    const { world, pass } = await paused();
    world.learnsAll = false;
    expect(await pass(60_000)).toBeGreaterThanOrEqual(110);
    world.learnsAll = true;
    await pass(20_000);
    expect(await pass(10_000)).toBe(0);
    world.events += 1;
    world.isDone = false;
    world.dueAt = Date.now() - 1_000_000;
    expect(await pass(60_000)).toBeGreaterThanOrEqual(110);
  });
});
