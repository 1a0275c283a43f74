import { StreamEnd } from '@weft/proto/events';
import { Forbidden, ServiceError, Unauthorized, Unavailable } from '@weft/service-kit/errors';
import { until } from '@weft/service-kit/testing';
import { FRAMES, nodeFinished, runningOf } from '../peers/events';
import { executionOf } from '../peers/executions';
import { KEYS } from '../peers/identity';
import { gatewaysOfEachTest, type TestGateway } from '../support/start-gateway';

const EVENTS = '/executions/e1/events';
const ACCEPTED = {
  sequence: 1,
  time: new Date('2026-01-02T03:04:05.000Z'),
  kind: { $case: 'accepted' as const, value: runningOf('e1') },
};
const ENDED = {
  sequence: 3,
  time: new Date('2026-01-02T03:04:06.700Z'),
  kind: { $case: 'ended' as const, value: executionOf('e1') },
};
const COMPLETE = FRAMES.end(StreamEnd.STREAM_END_COMPLETE);
const TIME_LIMIT = FRAMES.end(StreamEnd.STREAM_END_TIME_LIMIT);
const NOT_FOUND = new ServiceError({
  reason: 'EXECUTION_NOT_FOUND',
  kind: 'not-found',
  message: 'No execution has id e1.',
  details: { executionId: 'e1' },
});

describe('GET /api/v1/executions/:id/events', () => {
  const start = gatewaysOfEachTest();

  /** Opens a stream; its text so far is in `text()`. */
  const open = async (gateway: TestGateway, path = EVENTS, headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const response = await fetch(`${gateway.base}/api/v1${path}`, {
      headers: { accept: 'text/event-stream', 'x-svc-api-key': KEYS.viewer, ...headers },
      signal: leaving.signal,
    });
    let text = '';
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
    };
    const ended = read().catch(() => undefined);
    return {
      response,
      ended,
      text: () => text,
      /** The types and ids of what has arrived. */
      shown: () =>
        text.split('\n\n').flatMap((block) => {
          const [, type] = /^event: (.*)$/m.exec(block) ?? [];
          const [, id = ''] = /^id: (.*)$/m.exec(block) ?? [];
          return type === undefined ? [] : [`${id} ${type}`.trim()];
        }),
      leave: () => leaving.abort(),
    };
  };

  it('returns pages with the state of the run, and wait for changes if the client asks for it', async () => {
    const gateway = await start();
    gateway.events.page.value = {
      events: [ACCEPTED, nodeFinished(2), ENDED],
      progress: {
        execution: executionOf('e1'),
        running: { node: 'Slow', run: 1, startedAtMs: Date.parse('2026-01-02T03:04:05.900Z') },
        notStored: [],
        resumeAt: undefined,
        waitsForCall: true,
        responseStatus: 200,
      },
      complete: true,
      firstSequence: 2,
    };
    const { status, json } = await gateway.api('GET', `${EVENTS}?after=0&limit=1000`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: [
        { sequence: 1, type: 'execution.accepted', time: '2026-01-02T03:04:05.000Z', execution: { id: 'e1' } },
        {
          sequence: 2,
          type: 'node.finished',
          time: '2026-01-02T03:04:05.700Z',
          node: 'Set',
          run: 0,
          executionIndex: 0,
          status: 'success',
          startedAt: '2026-01-02T03:04:05.688Z',
          durationMs: 12,
          items: [1],
          bytes: 120,
        },
        { sequence: 3, type: 'execution.ended', execution: { status: 'success' } },
      ],
      progress: {
        state: 'success',
        running: { node: 'Slow', run: 1, startedAt: '2026-01-02T03:04:05.900Z' },
        waitsForCall: true,
        responseStatus: 200,
      },
      complete: true,
      firstSequence: 2,
    });
    await gateway.api('GET', `${EVENTS}?after=7&wait=true`);
    const [first, second] = gateway.events.callsOf('listEvents');
    expect(first?.request).toMatchObject({ executionId: 'e1', afterSequence: 0, limit: 1_000, waitMs: 0 });
    expect(second?.request).toMatchObject({ afterSequence: 7, limit: 200, waitMs: 25_000 });
    for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001', 'wait=1', 'from=1'])
      expect((await gateway.api('GET', `${EVENTS}?${query}`)).status).toBe(400);
  });

  it('is a stream that chains calls, verifies the caller for each, and shows each state once', async () => {
    const gateway = await start();
    gateway.events.scripts.push(
      { frames: [FRAMES.progress(runningOf('e1')), FRAMES.event(ACCEPTED), TIME_LIMIT] },
      { frames: [FRAMES.progress(runningOf('e1'))], error: new Unavailable('The store is away.') },
      { frames: [FRAMES.progress(runningOf('e1')), FRAMES.first(2), FRAMES.event(nodeFinished(2)), TIME_LIMIT] },
      { frames: [FRAMES.progress(executionOf('e1')), FRAMES.event(ENDED), COMPLETE] },
    );
    const stream = await open(gateway);
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.response.headers.get('content-encoding')).toBeNull();
    await stream.ended;
    expect(stream.shown()).toEqual([
      'progress',
      '1 execution.accepted',
      'restarted',
      '2 node.finished',
      'progress',
      '3 execution.ended',
      'end',
    ]);
    expect(stream.text()).toMatch(/^retry: 1000\n\n/);
    expect(stream.text()).toContain('data: {"reason":"complete"}\n\n');
    const calls = gateway.events.callsOf('streamEvents');
    expect(calls.map(({ request }) => request)).toMatchObject(
      [0, 1, 1, 2].map((afterSequence) => ({ executionId: 'e1', afterSequence })),
    );
    expect(gateway.identity.callsOf('verifyApiKey')).toHaveLength(4);
    // Not the deadline of the request: the service ends the stream before.
    for (const { leftMs } of calls) expect(leftMs).toBeGreaterThan(50_000);
  });

  it('continues after the last id of a client, and is 204 once it has all events', async () => {
    const gateway = await start();
    gateway.events.scripts.push(
      { frames: [FRAMES.progress(executionOf('e1')), FRAMES.event(ENDED), COMPLETE] },
      { frames: [FRAMES.progress(executionOf('e1')), COMPLETE] },
    );
    const stream = await open(gateway, `${EVENTS}?after=1`, { 'last-event-id': '2' });
    await stream.ended;
    expect(stream.shown()).toEqual(['progress', '3 execution.ended', 'end']);
    expect(gateway.events.callsOf('streamEvents')[0]?.request).toMatchObject({ afterSequence: 2 });
    const complete = await gateway.api('GET', `${EVENTS}?after=3`, { headers: { accept: 'text/event-stream' } });
    expect([complete.status, complete.text]).toEqual([204, '']);
    const invalid = { accept: 'text/event-stream', 'last-event-id': 'x' };
    expect((await gateway.api('GET', EVENTS, { headers: invalid })).status).toBe(400);
  });

  it('is refused with an ordinary error before the stream begins, also to pages of other sites', async () => {
    const gateway = await start();
    const stream = { accept: 'text/event-stream' };
    for (const [error, status] of [
      [NOT_FOUND, 404],
      [new Forbidden('No.'), 403],
      [new Unavailable('No.'), 503],
    ] as const) {
      gateway.events.fail('streamEvents', error);
      expect((await gateway.api('GET', EVENTS, { headers: stream })).status).toBe(status);
    }
    expect((await gateway.api('GET', EVENTS, { headers: stream, key: 'weft_wrong' })).status).toBe(401);
    const cross = await gateway.api('GET', EVENTS, { headers: { ...stream, 'sec-fetch-site': 'cross-site' } });
    expect(cross.status).toBe(403);
  });

  it('ends with a reason when the key is deleted or the execution may not be seen any more', async () => {
    const gateway = await start();
    gateway.events.scripts.push(
      { frames: [FRAMES.progress(runningOf('e1')), FRAMES.event(ACCEPTED), TIME_LIMIT] },
      { frames: [FRAMES.progress(runningOf('e1')), FRAMES.event(ACCEPTED)], error: new Forbidden('Closed.') },
    );
    const deleted = await open(gateway);
    await until('it has begun', () => deleted.shown().length === 2);
    gateway.identity.fail('verifyApiKey', new Unauthorized());
    await deleted.ended;
    expect(deleted.text()).toContain('event: end\ndata: {"reason":"error","error":{"code":"UNAUTHORIZED"');
    gateway.identity.fail('verifyApiKey', undefined);
    const hidden = await open(gateway);
    await hidden.ended;
    expect(hidden.text()).toContain('"reason":"error","error":{"code":"FORBIDDEN"');
  });

  it('releases everything when the client leaves, and leaves places to other users', async () => {
    const gateway = await start({ DRAIN_MS: '200' });
    const script = { frames: [FRAMES.progress(runningOf('e1'))], hangs: true as const };
    gateway.events.scripts.push(...Array.from({ length: 22 }, () => script));
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(gateway)));
    const refused = await gateway.api('GET', EVENTS, { key: KEYS.viewer, headers: { accept: 'text/event-stream' } });
    expect([refused.status, refused.json.error?.details?.['reason']]).toEqual([503, 'TOO_MANY_WAITING']);
    const other = await open(gateway, EVENTS, { 'x-svc-api-key': KEYS.editor });
    expect(other.response.status).toBe(200);
    for (const stream of streams) stream.leave();
    await until('the calls are cancelled', () => gateway.events.open() === 1);
    const later = await open(gateway);
    expect(later.response.status).toBe(200);
    later.leave();
    other.leave();
    await until('the calls are cancelled', () => gateway.events.open() === 0);
  });

  it('outlasts the time limit of requests, and ends when the gateway stops', async () => {
    const gateway = await start({ REQUEST_TIME_LIMIT_MS: '1000' });
    gateway.events.scripts.push({ frames: [FRAMES.progress(runningOf('e1'))], hangs: true });
    const stream = await open(gateway);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(stream.shown()).toEqual(['progress']);
    await gateway.stopGateway();
    await stream.ended;
    expect(stream.text()).toContain('event: end\ndata: {"reason":"time-limit"}');
  });

  it('reaches other clients while one reads nothing', async () => {
    const gateway = await start({ DRAIN_MS: '200' });
    const many = Array.from({ length: 20_000 }, (_, index) => FRAMES.event(nodeFinished(index + 2)));
    gateway.events.scripts.push(
      { frames: [FRAMES.progress(runningOf('e1')), ...many], hangs: true },
      { frames: [FRAMES.progress(executionOf('e1')), FRAMES.event(ENDED), COMPLETE] },
    );
    const slow = await fetch(`${gateway.base}/api/v1${EVENTS}`, {
      headers: { accept: 'text/event-stream', 'x-svc-api-key': KEYS.viewer },
    });
    const healthy = await open(gateway);
    await healthy.ended;
    expect(healthy.shown()).toEqual(['progress', '3 execution.ended', 'end']);
    await slow.body?.cancel();
    await until('its call is cancelled', () => gateway.events.open() === 0);
  });
});

describe('a request for an execution with wait=true', () => {
  const start = gatewaysOfEachTest();

  it('asks the service to respond when the run has ended', async () => {
    const gateway = await start();
    gateway.executions.stored.set('e1', executionOf('e1'));
    expect((await gateway.api('GET', '/executions/e1?wait=true&includeData=false')).status).toBe(200);
    await gateway.api('GET', '/executions/e1?includeData=false');
    const [waiting, plain] = gateway.executions.callsOf('getExecution');
    expect(waiting?.request).toMatchObject({ executionId: 'e1', waitMs: 25_000 });
    expect(plain?.request).not.toHaveProperty('waitMs', expect.any(Number));
  });
});
