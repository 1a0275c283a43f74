import { initialState, type RunOutcome, type WaitRequest } from '@weft/engine';
import { runSegments, type RunSegment } from './run-segments';
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

/** Runs segments that end as listed; `sleep` decides whether the process waits. */
const runThrough = async (
  outcomes: RunOutcome[],
  sleep: InProcessWaits['sleep'],
  signal = new AbortController().signal,
) => {
  const segments: RunSegment[] = [];
  const saved: unknown[] = [];
  const runOnce = async (segment: RunSegment) => {
    segments.push(segment);
    return {
      outcome: outcomes[segments.length - 1] ?? success,
      records: new Map([[`segment ${segments.length}`, []]]),
    };
  };
  const finished = await runSegments(
    { state: initialState('S'), records: new Map() },
    { runOnce, inProcessWaits: { sleep }, signal, save: async (state) => void saved.push(state) },
  );
  return { finished, segments, saved };
};

describe('runSegments', () => {
  it('continues after a short wait from the saved state, as after a timer', async () => {
    const { finished, segments, saved } = await runThrough([waiting(timer), success], async (_at, _signal, save) =>
      save().then(() => true),
    );
    expect(segments[1]).toEqual({
      state: initialState('waited'),
      records: new Map([['segment 1', []]]),
      resume: { kind: 'timer' },
    });
    expect([finished.outcome, saved]).toEqual([success, [initialState('waited')]]);
  });

  it('returns the wait unchanged if the process cannot hold it', async () => {
    const { finished, segments } = await runThrough([waiting(timer)], () => Promise.resolve(false));
    expect([finished.outcome, segments.length]).toEqual([waiting(timer), 1]);
  });

  it.each<WaitRequest>([
    { kind: 'child', executionId: 'c' },
    { kind: 'webhook', token: 't', settings: { suffix: '' }, at: 5 },
  ])('never waits in the process for an event from outside: %j', async (request) => {
    const { finished } = await runThrough([waiting(request)], () => Promise.reject(new Error('It must not sleep.')));
    expect(finished.outcome).toEqual(waiting(request));
  });

  it.each([
    ['cancelled', 'stopped'],
    ['lost', 'stopped'],
    ['drain', 'waiting'],
  ])('is, if %s during a wait, %s', async (reason, kind) => {
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
