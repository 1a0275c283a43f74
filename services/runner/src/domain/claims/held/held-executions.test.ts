import { createHeldExecutions } from './held-executions';

describe('the claims of a runner', () => {
  it(
    'are due a second after the claim, then after a third of their lease, and released when a last heartbeat ' +
      'after two thirds has no response',
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
      now = 20_001;
      held.releaseStale();
      claim.asked();
      now = 21_000;
      held.releaseStale();
      expect(claim.signal.aborted).toBe(false);
      now = 21_001;
      held.releaseStale();
      expect(claim.signal.reason).toBe('release');
    },
  );

  it('count from when the claim was sent, however late the response', () => {
    let now = 21_000;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 500);
    claim.asked();
    now = 22_000;
    held.releaseStale();
    expect(claim.signal.reason).toBe('release');
  });

  it('are held until their lease has run out, and then once a heartbeat was accepted', async () => {
    let now = 0;
    let urgent = 0;
    const held = createHeldExecutions(() => now, { onUrgent: () => (urgent += 1) });
    // The response to the claim took nearly the whole lease.
    const claim = held.hold('e', 1, 30_000, 0);
    now = 29_999;
    await claim.whenHeld();
    expect(urgent).toBe(0);
    now = 30_000;
    const renewed = claim.whenHeld();
    expect([urgent, held.due()]).toEqual([1, [claim]]);
    claim.renew(30_000);
    await renewed;
    now = 60_000;
    const aborted = claim.whenHeld();
    claim.abort('lost');
    await aborted;
    expect(urgent).toBe(2);
  });

  it('are rechecked before a runner that was suspended releases them', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    now = 10_000;
    claim.asked();
    now = 29_000;
    held.releaseStale();
    expect([claim.signal.aborted, held.due()]).toEqual([false, [claim]]);
    claim.asked();
    claim.renew(29_000);
    now = 31_000;
    held.releaseStale();
    expect(claim.signal.aborted).toBe(false);
  });

  it('have the whole lease from their claim once they may have had side effects', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const first = { ms: 3_000, isOver: () => Promise.resolve(false) };
    const [idle, sideEffecting] = [held.hold('i', 1, 30_000, 0, first), held.hold('a', 1, 30_000, 0, first)];
    const beat = (): void => {
      for (const claim of [idle, sideEffecting]) claim.asked();
    };
    now = 2_001;
    beat();
    sideEffecting.mayHaveActed();
    now = 3_000;
    held.releaseStale();
    expect([idle.signal.reason, sideEffecting.signal.reason]).toEqual(['release', undefined]);
    now = 20_001;
    beat();
    held.releaseStale();
    expect(sideEffecting.signal.reason).toBeUndefined();
    now = 21_001;
    held.releaseStale();
    expect(sideEffecting.signal.reason).toBe('release');
  });

  it('are no longer due once they are lost', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    now = 10_000;
    expect(held.due()).toEqual([claim]);
    claim.lost();
    expect(held.due()).toEqual([]);
  });

  it('are due again while a heartbeat has no response: after a second, or a ninth of a shorter lease', () => {
    let now = 1_000;
    const held = createHeldExecutions(() => now);
    const [long, short] = [
      held.hold('long', 1, 30_000, 0),
      held.hold('short', 1, 30_000, 0, { ms: 2_700, isOver: async () => true }),
    ];
    for (const claim of [long, short]) claim.asked();
    now = 1_299;
    expect(held.due()).toEqual([]);
    now = 1_300;
    expect(held.due()).toEqual([short]);
    now = 2_000;
    expect(held.due()).toEqual([long, short]);
    long.asked();
    now = 2_001;
    held.recheck(['long']);
    expect(held.due()).toEqual([long, short]);
  });

  it.each([
    ['ends if the replica that holds the run confirms it', async () => true, true],
    ['continues if the replica that holds the run knows it', async () => false, false],
    ['continues while that is unknown', () => Promise.reject(new Error('away')), false],
  ])(
    'a claim that a replica does not know, of a run that began before it was stored, %s',
    async (_, isOver, isAborted) => {
      const claim = createHeldExecutions(() => 0).hold('e', 1, 30_000, 0, { ms: 3_000, isOver });
      claim.lost();
      await new Promise(setImmediate);
      expect(claim.signal.aborted).toBe(isAborted);
    },
  );

  it('stay renewed when an earlier heartbeat has a later response', () => {
    let now = 12_000;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    claim.renew(12_000);
    claim.renew(10_000);
    now = 21_000;
    expect(held.due()).toEqual([]);
  });

  it('count from when their last accepted renewal was sent', () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    now = 15_000;
    claim.renew(now);
    now = 30_000;
    claim.asked();
    now = 34_000;
    held.releaseStale();
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

  it('stay due when the accepted renewal was sent before the recheck was requested', async () => {
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

  it('report with their next renewal that they are no longer isolated, and when it was accepted', async () => {
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

  it('keep a later claim of the same execution when an earlier one is released', () => {
    const held = createHeldExecutions(() => 0);
    const first = held.hold('e', 1, 1, 0);
    const second = held.hold('e', 2, 1, 0);
    held.release(first);
    expect(held.all()).toEqual([second]);
  });

  it('report a run that has waited for half a second, and let it continue once the service knows that', async () => {
    let now = 0;
    let urgent = 0;
    const held = createHeldExecutions(() => now, { onUrgent: () => void (urgent += 1) });
    const claim = held.hold('e', 1, 30_000, 0);
    const beat = (): boolean => {
      claim.asked();
      return claim.isWaiting;
    };
    const response = Promise.withResolvers<string>();
    let result: string | undefined;
    const run = claim.whileWaiting(() => response.promise).then((text) => (result = text));
    now = 200;
    expect(beat()).toBe(false);
    claim.renew(200);
    now = 699;
    claim.isActive();
    now = 1_198;
    expect(held.due()).toEqual([]);
    now = 1_199;
    expect(held.due()).toEqual([]);
    now = 1_200;
    expect(held.due()).toEqual([claim]);
    expect(beat()).toBe(true);
    claim.renew(now);
    now = 2_400;
    response.resolve('done');
    await new Promise(setImmediate);
    expect([result, urgent, held.due()]).toEqual([undefined, 1, [claim]]);
    now = 2_401;
    expect(beat()).toBe(false);
    claim.renew(now);
    await run;
    expect(result).toBe('done');
    await claim.whileWaiting(() => Promise.resolve());
    expect(urgent).toBe(1);
  });

  it('delay a run that waited by half a second at most if the service is unavailable', async () => {
    let now = 0;
    const held = createHeldExecutions(() => now);
    const claim = held.hold('e', 1, 30_000, 0);
    const began = performance.now();
    await claim.whileWaiting(() => {
      now = 1_000;
      claim.asked();
      return Promise.resolve();
    });
    expect([claim.isWaiting, performance.now() - began < 2_000]).toEqual([true, true]);
  });
});
