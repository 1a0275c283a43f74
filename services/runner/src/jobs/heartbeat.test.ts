import { testLogger } from '@weft/service-kit/testing';
import { createHeldExecutions } from '../domain/claims/held/held-executions';
import { createHeartbeat } from './heartbeat';

type Outcomes = readonly ('held' | 'lost' | 'cancelled' | 'unknown')[];

describe('the heartbeat of a runner', () => {
  let now = 0;
  const calls: { readonly ids: readonly string[]; readonly answer: PromiseWithResolvers<Outcomes> }[] = [];
  const held = createHeldExecutions(() => now);
  const { beat, whenIdle } = createHeartbeat(
    {
      heartbeat: (claims) => {
        const answer = Promise.withResolvers<Outcomes>();
        calls.push({ ids: claims.map(({ executionId }) => executionId), answer });
        return answer.promise;
      },
    },
    held,
    () => now,
    testLogger(),
  );
  const idsSent = (): readonly (readonly string[])[] => calls.map(({ ids }) => ids);

  it('renews a lease although an earlier call hangs, and whatever its late response', async () => {
    const claim = held.hold('e', 1, 9_000, 0);
    now = 3_000;
    beat();
    beat();
    now = 4_000;
    beat();
    expect(idsSent()).toEqual([['e'], ['e']]);
    calls[1]?.answer.resolve(['held']);
    await Promise.resolve();
    calls[0]?.answer.reject(new Error('deadline'));
    await whenIdle();
    now = 6_900;
    beat();
    expect([calls.length, claim.signal.aborted]).toEqual([2, false]);
    held.release(claim);
  });

  it('aborts claims that the service no longer grants, and releases those without a response in time', async () => {
    calls.length = 0;
    now = 0;
    const [lost, silent] = [held.hold('lost', 1, 9_000, 0), held.hold('silent', 1, 9_000, 0)];
    now = 1_000;
    beat();
    calls[0]?.answer.resolve(['lost', 'unknown']);
    await whenIdle();
    expect([lost.signal.reason, silent.signal.aborted]).toEqual(['lost', false]);
    held.release(lost);
    for (now = 2_000; now <= 8_000; now += 1_000) beat();
    expect(silent.signal.reason).toBe('release');
    for (const { answer } of calls) answer.resolve([]);
  });

  it('sends a limited number of calls when there are no responses', async () => {
    calls.length = 0;
    const claim = held.hold('e', 1, 900, now);
    for (let beats = 0; beats < 100; beats += 1) {
      now += 100;
      beat();
    }
    expect(calls.length).toBe(16);
    for (const { answer } of calls) answer.resolve([]);
    await whenIdle();
    held.release(claim);
  });
});
