import { createSlots, shareSlot } from './slots';
import { createHeldExecutions } from '../held/held-executions';

describe('slots', () => {
  it('let no run wait while one is free, and admit waiting runs when one is released', async () => {
    const slots = createSlots(1);
    await slots.whenFree();
    slots.take();
    let isFree = false;
    const waiting = slots.whenFree().then(() => {
      isFree = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isFree, slots.free()]).toEqual([false, 0]);
    slots.release();
    await waiting;
    expect(slots.free()).toBe(1);
  });

  it('are first taken by returning runs in order, and by none while too many are taken', async () => {
    const slots = createSlots(1);
    slots.take();
    slots.take();
    const order: string[] = [];
    const comeBack = (name: string) => slots.takeWhenFree().then(() => order.push(name));
    const both = [comeBack('a'), comeBack('b')];
    let isFree = false;
    void slots.whenFree().then(() => {
      isFree = true;
    });
    slots.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    slots.release();
    slots.release();
    await Promise.all(both);
    await new Promise((resolve) => setImmediate(resolve));
    expect([order, isFree, slots.free()]).toEqual([['a', 'b'], false, 0]);
  });

  it('are given to new runs while they are free', async () => {
    const slots = createSlots(3);
    slots.take();
    expect([slots.takeFree(5), slots.takeFree(5), slots.free()]).toEqual([2, 0, 0]);
    expect(await slots.freeWithin(1)).toBe(false);
    const soon = slots.freeWithin(10_000);
    slots.release();
    expect([await soon, slots.takeFree(1)]).toEqual([true, 1]);
  });

  it('are left to others by owners who have their share, which is guaranteed', async () => {
    const slots = createSlots(8);
    const part = slots.leaving(2);
    expect([part.takeFree(8), part.free(), slots.free()]).toEqual([6, 0, 2]);
    let isFree = false;
    const waiting = part.whenFree().then(() => {
      isFree = true;
    });
    slots.takeFree(1);
    slots.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFree).toBe(false);
    for (let n = 0; n < 6; n += 1) part.release();
    await waiting;
    expect([slots.takeFree(7), part.free(), part.takeFree(8)]).toEqual([7, 1, 1]);
    slots.release();
    expect([part.takeFree(8), slots.free(), part.free()]).toEqual([1, 0, 0]);
  });

  it('end all waits when they are closed', async () => {
    const slots = createSlots(1);
    slots.take();
    const waiting = slots.whenFree();
    slots.close();
    await waiting;
    await slots.whenFree();
    expect(slots.free()).toBe(0);
  });
});

const begin = () => {
  const held = createHeldExecutions(() => 0);
  const slots = createSlots(2);
  slots.take();
  return { caller: held.hold('caller', 1, 1_000, 0), child: held.hold('child', 1, 1_000, 0), slots };
};

describe('a child in the slot of its caller', () => {
  it('takes no extra slot while the caller holds it', () => {
    const { caller, child, slots } = begin();
    const leave = shareSlot(caller, child, slots);
    expect(slots.free()).toBe(1);
    leave();
    caller.abort('lost');
    expect(slots.free()).toBe(1);
    expect(child.signal.aborted).toBe(false);
  });

  it('continues in a separate slot when the caller is lost, before or after it began', () => {
    const { caller, child, slots } = begin();
    const leave = shareSlot(caller, child, slots);
    caller.abort('lost');
    expect(slots.free()).toBe(0);
    expect(child.signal.aborted).toBe(false);
    leave();
    expect(slots.free()).toBe(1);
    const leaveAgain = shareSlot(caller, child, slots);
    expect(slots.free()).toBe(0);
    leaveAgain();
    expect(slots.free()).toBe(1);
  });

  it('is cancelled with its caller', () => {
    const { caller, child, slots } = begin();
    shareSlot(caller, child, slots)();
    shareSlot(caller, child, slots);
    caller.abort('cancelled');
    expect(child.signal.reason).toBe('cancelled');
    expect(slots.free()).toBe(1);
  });
});
