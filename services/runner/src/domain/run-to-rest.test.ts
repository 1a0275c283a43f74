import { initialState, type RunOutcome, type WaitRequest } from '@weft/engine';
import { runToRest, type Leg } from './run-to-rest';
import type { InProcessWaits } from './in-process-waits';

const timer: WaitRequest = { kind: 'timer', at: 5 };
const waiting = (request: WaitRequest): RunOutcome => ({
  kind: 'waiting',
  wait: request,
  node: 'W',
  run: 0,
  state: initialState('waited'),
});
const success: RunOutcome = { kind: 'success', lastNode: 'E' };

/** A run whose legs end as listed, in a process that sleeps or does not. */
const runThrough = async (
  outcomes: RunOutcome[],
  sleep: InProcessWaits['sleep'],
  signal = new AbortController().signal,
) => {
  const legs: Leg[] = [];
  const kept: unknown[] = [];
  const runOnce = async (leg: Leg) => {
    legs.push(leg);
    return { outcome: outcomes[legs.length - 1] ?? success, records: new Map([[`leg ${legs.length}`, []]]) };
  };
  const finished = await runToRest(
    { state: initialState('S'), records: new Map() },
    { runOnce, inProcessWaits: { sleep }, signal, keep: async (state) => void kept.push(state) },
  );
  return { finished, legs, kept };
};

describe('a run on its way to rest', () => {
  it('goes on after a short wait from where it stood, as if the timer had woken it', async () => {
    const { finished, legs, kept } = await runThrough([waiting(timer), success], async (_at, _signal, keep) =>
      keep().then(() => true),
    );
    expect(legs[1]).toEqual({
      state: initialState('waited'),
      records: new Map([['leg 1', []]]),
      resume: { kind: 'timer' },
    });
    expect([finished.outcome, kept]).toEqual([success, [initialState('waited')]]);
  });

  it('waits elsewhere when it cannot sleep here, with the end of the wait as it was', async () => {
    const { finished, legs } = await runThrough([waiting(timer)], () => Promise.resolve(false));
    expect([finished.outcome, legs.length]).toEqual([waiting(timer), 1]);
  });

  it.each<WaitRequest>([
    { kind: 'child', executionId: 'c' },
    { kind: 'webhook', token: 't', settings: { suffix: '' }, at: 5 },
  ])('sleeps through nothing that somebody else may end: %j', async (request) => {
    const { finished } = await runThrough([waiting(request)], () => Promise.reject(new Error('It must not sleep.')));
    expect(finished.outcome).toEqual(waiting(request));
  });

  it.each([
    ['cancelled', 'stopped'],
    ['lost', 'stopped'],
    ['drain', 'waiting'],
  ])('that is %s in its sleep is %s', async (reason, kind) => {
    const abort = new AbortController();
    const { finished } = await runThrough(
      [waiting(timer)],
      async () => {
        abort.abort(reason);
        return false;
      },
      abort.signal,
    );
    expect(finished.outcome.kind).toBe(kind);
  });
});
