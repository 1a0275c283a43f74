import { createHeldExecutions } from './held-executions';

describe('the claims of a runner', () => {
  it(
    'are due a second after they were claimed, then after a third of their lease, and aborted as lost after ' +
      'two thirds',
    () => {
      let now = 0;
      const held = createHeldExecutions(() => now);
      const claim = held.hold('e', 1, 30_000, 0);
      now = 999;
      expect(held.due()).toEqual([]);
      now = 1_000;
      expect(held.due()).toEqual([claim]);
      claim.renew(0);
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
    },
  );

  it('count from when the claim was sent, however late its answer came', () => {
    const now = 21_000;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 500);
    held.abortStale();
    expect(claim.signal.reason).toBe('lost');
  });

  it('count from when their last accepted renewal was sent', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    now = 15_000;
    claim.renew(now);
    now = 30_000;
    held.abortStale();
    expect(claim.signal.aborted).toBe(false);
  });

  it('are due at once when they are to be rechecked, until they are renewed', () => {
    const now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    held.hold('other', 1, 30_000, 0);
    expect([held.recheck(['unknown']), held.due()]).toEqual([false, []]);
    expect([held.recheck(['e', 'unknown']), held.due()]).toEqual([true, [claim]]);
    claim.renew(now);
    expect(held.due()).toEqual([]);
  });

  it('stay due when the renewal that was accepted was sent before they were to be rechecked', async () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    now = 20;
    held.recheck(['e']);
    let isTold = false;
    const told = claim.confirm(true).then(() => {
      isTold = true;
    });
    claim.renew(10);
    await Promise.resolve();
    expect([held.due(), isTold]).toEqual([[claim], false]);
    claim.renew(20);
    await told;
    expect(held.due()).toEqual([]);
  });

  it('report with their next renewal that they are not alone any more, and when it was accepted', async () => {
    const held = createHeldExecutions(() => 0);
    const claim = held.hold('e', 1, 30_000, 0);
    let isTold = false;
    const told = claim.confirm(true).then(() => {
      isTold = true;
    });
    await Promise.resolve();
    expect([claim.isShared, held.due(), isTold]).toEqual([true, [claim], false]);
    claim.renew(0);
    await told;
    const lost = claim.confirm(false);
    claim.abort('lost');
    await lost;
    expect(claim.isShared).toBe(true);
  });

  it('retain a later claim of the same execution when an earlier one is released', () => {
    const held = createHeldExecutions(() => 0);
    const first = held.hold('e', 1, 1, 0);
    const second = held.hold('e', 2, 1, 0);
    held.release(first);
    expect(held.all()).toEqual([second]);
  });
});
