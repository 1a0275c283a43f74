import { exitCodeOf } from './exit-code';
import { patientFetch } from './patient-fetch';

const quiet = {
  rateLimitMs: 5_000,
  signal: new AbortController().signal,
  debug: () => undefined,
  warn: () => undefined,
};
const answers = (...statuses: readonly number[]) => {
  const sent: string[] = [];
  const send = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push(`${init?.method ?? 'GET'} ${String(input)}`);
    const status = statuses[sent.length - 1] ?? 200;
    if (status === 0) return Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') }));
    return Promise.resolve(new Response('{}', { status, headers: { 'retry-after': '0' } }));
  };
  return { sent, fetch: patientFetch(send, quiet) };
};
const URL_OF_LIST = 'http://127.0.0.1/api/v1/workflows';

describe('a request of the command line', () => {
  it('is repeated after 503 and no answer if it is a read, a check, or a start with a key', async () => {
    for (const [url, init] of [
      [URL_OF_LIST, {}],
      [`${URL_OF_LIST}/check`, { method: 'POST' }],
      [`${URL_OF_LIST}/1/execute`, { method: 'POST', headers: { 'idempotency-key': 'k' } }],
    ] as const) {
      const { sent, fetch } = answers(503, 503, 200);
      expect([(await fetch(url, init)).status, sent.length]).toEqual([200, 3]);
    }
    const { sent, fetch } = answers(503, 503, 503, 200);
    expect([(await fetch(URL_OF_LIST)).status, sent.length]).toEqual([503, 3]);
  });

  it('ends with Ctrl-C, also while it waits', async () => {
    const stop = new AbortController();
    const send = () => Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '4' } }));
    const waiting = patientFetch(send, { ...quiet, signal: stop.signal })(URL_OF_LIST);
    setTimeout(() => stop.abort(), 10);
    await expect(waiting).rejects.toThrow('aborted');
  });

  it('that writes is sent once, but waits for the rate limit, which refused it', async () => {
    const busy = answers(503, 200);
    expect([(await busy.fetch(URL_OF_LIST, { method: 'POST' })).status, busy.sent.length]).toEqual([503, 1]);
    const lost = answers(0, 200);
    const failure: unknown = await lost.fetch(URL_OF_LIST, { method: 'PUT' }).catch((error: unknown) => error);
    expect([exitCodeOf(failure), lost.sent.length]).toEqual([6, 1]);
    const limited = answers(429, 429, 200);
    expect([(await limited.fetch(URL_OF_LIST, { method: 'POST' })).status, limited.sent.length]).toEqual([200, 3]);
  });
});
