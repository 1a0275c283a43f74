import { createSlots } from './slots';

describe('slots', () => {
  it('let nobody wait while one is free, and everybody go when one is given back', async () => {
    const slots = createSlots(1);
    await slots.whenFree();
    slots.take();
    let isFree = false;
    const waiting = slots.whenFree().then(() => { isFree = true; });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isFree, slots.free()]).toEqual([false, 0]);
    slots.give();
    await waiting;
    expect(slots.free()).toBe(1);
  });

  it('let everybody go when they are closed', async () => {
    const slots = createSlots(1);
    slots.take();
    const waiting = slots.whenFree();
    slots.close();
    await waiting;
    await slots.whenFree();
    expect(slots.free()).toBe(0);
  });
});
