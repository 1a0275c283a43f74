import { createHeldExecutions } from './held-executions';

describe('the claims of a runner', () => {
  it('are due for renewal after a third of their lease, and aborted as lost after two thirds', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000);
    now = 9_999;
    expect(held.due()).toEqual([]);
    now = 10_000;
    expect(held.due()).toEqual([claim]);
    now = 20_000;
    held.abortStale();
    expect(claim.signal.aborted).toBe(false);
    now = 20_001;
    held.abortStale();
    expect(claim.signal.reason).toBe('lost');
  });

  it('count from their last renewal', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000);
    now = 15_000;
    claim.renew();
    now = 30_000;
    held.abortStale();
    expect(claim.signal.aborted).toBe(false);
  });

  it('are due at once when they are to be rechecked, until they are renewed', () => {
    const held = createHeldExecutions(() => 0);
    const claim = held.hold('e', 1, 30_000);
    held.hold('other', 1, 30_000);
    expect([held.recheck(['unknown']), held.due()]).toEqual([false, []]);
    expect([held.recheck(['e', 'unknown']), held.due()]).toEqual([true, [claim]]);
    claim.renew();
    expect(held.due()).toEqual([]);
  });

  it('keep a later claim of the same execution when an earlier one is released', () => {
    const held = createHeldExecutions(() => 0);
    const first = held.hold('e', 1, 1);
    const second = held.hold('e', 2, 1);
    held.release(first);
    expect(held.all()).toEqual([second]);
  });
});
