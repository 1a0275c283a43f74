import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import type { OutboundHttp } from '@weft/outbound';
import { createHeldExecutions } from '../held/held-executions';
import { createReach, watchOutside } from './reach';

const MAX_CALLER_WAIT_MS = 20_000;

const reaching = () => {
  const clock = () => performance.now();
  const held = createHeldExecutions(clock).hold('e', 1, 30_000, 0);
  const outside = watchOutside();
  return { held, outside, reach: createReach(held, outside, MAX_CALLER_WAIT_MS, clock) };
};
const away = (): Promise<never> => Promise.reject(new Unavailable('away'));
const http: OutboundHttp = { request: () => Promise.reject(new Error('not sent')) };

describe('a request of a run to another service', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is repeated until there is a response, with the number of earlier tries', async () => {
    const { held, reach } = reaching();
    const answer = reach((triesBefore) => (triesBefore < 4 ? away() : Promise.resolve(triesBefore)));
    await jest.advanceTimersByTimeAsync(10_000);
    expect([await answer, held.signal.aborted]).toEqual([4, false]);
  });

  it('releases a run that has sent nothing when the time limit is reached', async () => {
    const { held, reach } = reaching();
    const ended = expect(reach(away)).rejects.toThrow('away');
    await jest.advanceTimersByTimeAsync(MAX_CALLER_WAIT_MS - 3_000);
    expect(held.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(6_000);
    await ended;
    expect(held.signal.reason).toBe('release');
  });

  it('continues to wait for a run whose node has sent something, until the next node begins', async () => {
    const { held, outside, reach } = reaching();
    await expect(
      outside.http(http).request({ method: 'GET', url: 'http://x.example/', timeoutMs: 1, followRedirects: false }),
    ).rejects.toThrow('not sent');
    const ended = expect(reach(away)).rejects.toThrow('away');
    await jest.advanceTimersByTimeAsync(10 * MAX_CALLER_WAIT_MS);
    expect(held.signal.aborted).toBe(false);
    outside.begin();
    await jest.advanceTimersByTimeAsync(3_000);
    await ended;
    expect(held.signal.reason).toBe('release');
  });

  it('continues to wait for a run whose node has begun a streamed request', async () => {
    const { outside } = reaching();
    const streams = outside.streams({ stream: () => Promise.reject(new Error('not sent')) });
    const request = { method: 'POST', url: 'http://x.example/', timeoutMs: 1, followRedirects: false } as const;
    expect(outside.hasActed()).toBe(false);
    await expect(streams.stream(request)).rejects.toThrow('not sent');
    expect(outside.hasActed()).toBe(true);
  });

  it('is refused at once when its service refuses it', async () => {
    const { held, reach } = reaching();
    await expect(
      reach(() => Promise.reject(new ServiceError({ reason: 'FORBIDDEN', kind: 'forbidden', message: 'no' }))),
    ).rejects.toThrow('no');
    expect(held.signal.aborted).toBe(false);
  });
});
