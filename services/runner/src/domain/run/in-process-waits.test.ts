import { createInProcessWaits, type InProcessWaitsOptions } from './in-process-waits';
import { createSlots } from '../claims/shares/slots';

const bed = (over: Partial<InProcessWaitsOptions> = {}) => {
  const slots = createSlots(1);
  slots.take();
  const stopping = new AbortController();
  const run = new AbortController();
  const saved: string[] = [];
  const inProcessWaits = createInProcessWaits({
    slots,
    most: 2,
    belowMs: 65_000,
    stopping: stopping.signal,
    now: Date.now,
    clock: () => performance.now(),
    ...over,
  });
  const sleep = (ms: number, save = (): Promise<void> => Promise.resolve(void saved.push('saved'))) =>
    inProcessWaits.sleep(Date.now() + ms, run.signal, save);
  return { slots, stopping, run, saved, sleep };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a run that waits in the process', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('is stored first, frees its slot, and takes one again when its time has come', async () => {
    const { slots, saved, sleep } = bed();
    const sleeping = sleep(60_000);
    await turn();
    expect([slots.free(), saved]).toEqual([1, ['saved']]);
    jest.advanceTimersByTime(60_000);
    expect([await sleeping, slots.free()]).toEqual([true, 0]);
  });

  it('waits as long as planned if the wall clock is set meanwhile', async () => {
    let error = 0;
    const { sleep } = bed({ now: () => Date.now() + error });
    const sleeping = sleep(7_000);
    await turn();
    error = -16 * 24 * 3_600_000;
    jest.advanceTimersByTime(7_000);
    expect(await sleeping).toBe(true);
  });

  it('waits for a slot when others have them all', async () => {
    const { slots, sleep } = bed();
    const sleeping = sleep(60_000);
    await turn();
    slots.take();
    let isAwake = false;
    void sleeping.then(() => {
      isAwake = true;
    });
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(isAwake).toBe(false);
    slots.release();
    expect([await sleeping, slots.free()]).toEqual([true, 0]);
  });

  it('is not stored for less than a second, and does not wait for a past time', async () => {
    const { saved, sleep } = bed();
    const sleeping = sleep(999);
    await turn();
    jest.advanceTimersByTime(999);
    expect([await sleeping, saved]).toEqual([true, []]);
    const late = sleep(-5);
    await turn();
    jest.advanceTimersByTime(0);
    expect(await late).toBe(true);
  });

  it.each([
    ['a long wait', 65_000, 1],
    ['more than may sleep', 60_000, 0],
  ])('is refused for %s, and keeps its slot', async (_, ms, most) => {
    const { slots, saved, sleep } = bed({ most });
    expect([await sleep(ms), slots.free(), saved]).toEqual([false, 0, []]);
  });

  it('is always refused in a process without in-process waits', async () => {
    expect(await bed({ belowMs: 0 }).sleep(1)).toBe(false);
  });

  it('has its slot again, and has not slept to the end, when it is cancelled', async () => {
    const { slots, run, sleep } = bed();
    const sleeping = sleep(60_000);
    await turn();
    run.abort('cancelled');
    expect([await sleeping, slots.free()]).toEqual([false, 0]);
  });

  it('wakes at once when the process stops, even if no slot is free, and does not sleep again', async () => {
    const { slots, stopping, sleep } = bed();
    const sleeping = sleep(60_000);
    await turn();
    slots.take();
    stopping.abort();
    expect(await sleeping).toBe(false);
    expect(await sleep(1_000)).toBe(false);
  });

  it('keeps its slot and its place when it cannot be stored', async () => {
    const { slots, sleep } = bed({ most: 1 });
    await expect(sleep(60_000, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(slots.free()).toBe(0);
    const again = sleep(500);
    await turn();
    jest.advanceTimersByTime(500);
    expect(await again).toBe(true);
  });
});
