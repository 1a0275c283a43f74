import { createHeldExecutions } from './held-executions';
import { shareSlot } from './share-slot';
import { createSlots } from './slots';

const begin = () => {
  const held = createHeldExecutions(() => 0);
  const slots = createSlots(2);
  slots.take();
  return { caller: held.hold('caller', 1, 1_000, 0), child: held.hold('child', 1, 1_000, 0), slots };
};

describe('a child in the slot of its caller', () => {
  it('takes none of its own while the caller is there', () => {
    const { caller, child, slots } = begin();
    const leave = shareSlot(caller, child, slots);
    expect(slots.free()).toBe(1);
    leave();
    caller.abort('lost');
    expect(slots.free()).toBe(1);
    expect(child.signal.aborted).toBe(false);
  });

  it('goes on in a slot of its own when the caller is lost, before or after it began', () => {
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
