import type { Held } from './held-executions';
import type { Slots } from './slots';

/**
 * Lets a child run in the slot of its caller. If the caller is cancelled, so is the child: the service cancels it as
 * well.
 * If the caller is gone in another way, the child goes on and counts as a run of its own.
 * @returns what to call when the child is at rest.
 */
export const shareSlot = (caller: Held, child: Held, slots: Pick<Slots, 'take' | 'give'>): (() => void) => {
  let hasOwnSlot = false;
  const onAbort = (): void => {
    if (caller.signal.reason === 'cancelled') {
      child.abort('cancelled');
      return;
    }
    slots.take();
    hasOwnSlot = true;
  };
  if (caller.signal.aborted) onAbort();
  else caller.signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    caller.signal.removeEventListener('abort', onAbort);
    if (hasOwnSlot) slots.give();
  };
};
