import { Client, credentials, Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import { CallStreamServiceService, type TunnelledCall, type TunnelCallsRequest } from '@weft/proto/calls';
import { RunnerServiceService, type CheckpointEntry } from '@weft/proto/runner';
import { withContext } from '../src/context';
import { InvalidRequest, ServiceError, Unavailable } from '../src/errors';
import { bindCallStreams, bindService, createCaller, type BoundService, type Handlers } from '../src/grpc';
import { openCallStream } from '../src/grpc/client/call-stream';
import { closeAfterEach, makeTestKeys, startFakePeer, startProxy, until, type FakePeer } from '../src/testing';

const keys = makeTestKeys(['gateway', 'runner', 'executions']);
const rule = { services: ['runner'] };
const { tunnelCalls } = CallStreamServiceService;
const HEARTBEAT = RunnerServiceService.heartbeat.path;

/** Counts of what arrived on streams. */
const arrived = { streams: 0, frames: 0, calls: 0 };
/** Calls on each stream. */
const arrivedOn: { calls: number }[] = [];
const counted = (bound: BoundService): BoundService => ({
  ...bound,
  implement: (...parts) => {
    const serve = bound.implement(...parts)['tunnelCalls'];
    return {
      tunnelCalls: (call: ServerDuplexStream<TunnelCallsRequest, unknown>): void => {
        arrived.streams += 1;
        const own = { calls: 0 };
        arrivedOn.push(own);
        call.on('data', ({ calls }: TunnelCallsRequest) => {
          arrived.frames += 1;
          arrived.calls += calls.length;
          own.calls += calls.length;
        });
        if (serve !== undefined) Reflect.apply(serve, undefined, [call]);
      },
    };
  },
});

/** Calls that the test answers explicitly. */
let held: (() => void)[] = [];
/** Calls whose handlers noticed that their caller is gone. */
const givenUp = new Set<string>();
/** Calls of methods that are unavailable. */
let tries: string[] = [];
const tried = (method: string): Promise<never> => {
  tries.push(method);
  return Promise.reject(new Unavailable('Not now.'));
};
const unused = () => Promise.reject(new Error('a fault of ours with a secret in it'));
const handlers: Handlers<typeof RunnerServiceService> = {
  claim: () =>
    Promise.reject(
      new ServiceError({
        reason: 'THING_NOT_FOUND',
        kind: 'not-found',
        message: 'No thing.',
        details: { thingId: 't1' },
        fields: [{ field: 'a.b', message: 'Change it.' }],
        retryAfterSeconds: 3,
      }),
    ),
  heartbeat: ({ held: claims }, { requestId }) =>
    Promise.resolve({ outcomes: claims.map(({ fence }) => (fence === 7 && requestId !== 'named' ? 2 : 1)) }),
  persist: ({ entries }, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        givenUp.add(entries[0]?.executionId ?? '');
      });
      held.push(() => resolve({ outcomes: entries.map(() => 1) }));
    }),
  checkpoint: ({ entries }) => Promise.resolve({ outcomes: entries.map(() => 1) }),
  report: unused,
  respond: unused,
  wait: () => Promise.reject(new InvalidRequest('Wrong.', [{ field: 'f', message: 'is required' }])),
  release: ({ entries }) => new Promise((resolve) => held.push(() => resolve({ outcomes: entries.map(() => 1) }))),
  startChild: unused,
  acquireSlot: () => tried('acquireSlot'),
  findFirstResult: () => tried('findFirstResult'),
  countModelTokens: () => tried('countModelTokens'),
  endRunner: () => Promise.resolve({}),
  putChunk: unused,
  async *getChunk() {
    yield { data: Buffer.from('a') };
  },
  async *readNodeRuns() {},
};
const access = {
  claim: rule,
  heartbeat: rule,
  persist: rule,
  checkpoint: rule,
  report: rule,
  respond: { users: 'workflows:write' as const },
  wait: rule,
  release: rule,
  startChild: rule,
  acquireSlot: rule,
  findFirstResult: rule,
  countModelTokens: rule,
  endRunner: rule,
  putChunk: rule,
  getChunk: rule,
  readNodeRuns: rule,
};
const runnerService = (): BoundService => bindService(RunnerServiceService, handlers, access);
const releaseHeld = (): void => held.splice(0).forEach((answer) => answer());
const isHeld = (count: number) => until(`${count} calls are under way`, () => held.length >= count);
const entry = (bytes: number): CheckpointEntry => ({
  executionId: 'e',
  fence: 1,
  checkpoint: 1,
  nodeRuns: [],
  engineState: Buffer.alloc(bytes),
});
const claims = (fence: number) => ({ runnerId: 'r', held: [{ executionId: 'e', fence }] });
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) =>
    error instanceof ServiceError
      ? [error.reason, error.kind, error.message, error.details, error.fields, error.retryAfterSeconds]
      : error,
  );

const unavailable = [
  'SERVICE_UNAVAILABLE',
  'unavailable',
  'The executions service cannot be reached. Try again.',
  {},
  [],
  5,
];

describe('calls on a stream', () => {
  let peer: FakePeer;
  const later = closeAfterEach();
  const start = (services: readonly BoundService[]): Promise<FakePeer> =>
    startFakePeer({ name: 'executions', publicKeys: keys.publicKeys, services });
  const lost: string[] = [];
  const withStreams = (): readonly BoundService[] => {
    const service = runnerService();
    const rule = { services: ['runner', 'gateway'] };
    return [service, counted(bindCallStreams([service], rule, (processId) => lost.push(processId)))];
  };
  const callerOf = (target: string, streams = 1, service = 'runner') =>
    later(
      createCaller(RunnerServiceService, {
        service: 'executions',
        target,
        sign: keys.signerOf(service),
        retried: ['release', 'findFirstResult'],
        capacity: 5_000,
        streams,
      }),
      ({ close }) => close(),
    ).calls;
  const openStream = (calls: ReturnType<typeof callerOf>) =>
    until('the stream is open', async () => {
      const before = arrived.calls;
      await outcome(calls.heartbeat(claims(1)));
      return arrived.calls > before;
    });
  /** A caller with an open stream. */
  const openCaller = async (target = peer.target, streams = 1, service = 'runner') => {
    const calls = callerOf(target, streams, service);
    await openStream(calls);
    return calls;
  };
  /** A stream controlled by the test. */
  const openRaw = (token = keys.signerOf('runner')('executions', tunnelCalls.path)) => {
    const client = later(new Client(peer.target, credentials.createInsecure()), (one) => one.close());
    const metadata = new Metadata();
    metadata.set('x-weft-service-token', token);
    const stream = client.makeBidiStreamRequest(
      tunnelCalls.path,
      tunnelCalls.requestSerialize,
      tunnelCalls.responseDeserialize,
      metadata,
    );
    later(stream, (one) => one.cancel());
    const answers: unknown[] = [];
    let ended: unknown;
    stream.on('data', (response) => answers.push(...response.answers));
    stream.on('error', (error) => (ended = error));
    const send = (call: Partial<TunnelledCall>): void =>
      void stream.write({
        calls: [
          {
            number: 1,
            method: HEARTBEAT,
            request: RunnerServiceService.heartbeat.requestSerialize({ runnerId: 'r', held: [] }),
            token: keys.signerOf('runner')('executions', HEARTBEAT),
            timeoutMs: 5_000,
            requestId: 'r1',
            ...call,
          },
        ],
      });
    return { send, answers, ended: () => ended };
  };

  beforeAll(async () => {
    peer = await start(withStreams());
  });
  beforeEach(() => {
    held = [];
  });
  afterEach(releaseHeld);
  afterAll(() => peer.stop());

  it('are answered and refused like separate calls', async () => {
    const all = async (calls: ReturnType<typeof callerOf>, gateway: ReturnType<typeof callerOf>) => [
      await outcome(calls.heartbeat(claims(7))),
      await outcome(withContext({ requestId: 'named' }, () => calls.heartbeat(claims(7)))),
      await outcome(calls.claim({ executionIds: [], runnerId: '', claimId: '', knownVersionIds: [] })),
      await outcome(calls.wait({ entries: [] })),
      await outcome(calls.report({ entries: [] })),
      await outcome(calls.respond({ executionId: '', fence: 1, response: undefined })),
      await outcome(gateway.heartbeat(claims(1))),
      await outcome(gateway.respond({ executionId: '', fence: 1 }, { principal: { userId: 'u', role: 'viewer' } })),
      await outcome(calls.heartbeat(claims(1), { principal: { userId: 'u', role: 'owner' } })),
      await outcome(
        withContext({ requestId: 'r1', deadline: performance.now() + 150 }, () => calls.persist({ entries: [] })),
      ),
    ];
    const byThemselves = await all(callerOf(peer.target, 0), callerOf(peer.target, 0, 'gateway'));
    const [runner, gateway] = [await openCaller(), await openCaller(peer.target, 1, 'gateway')];
    const before = arrived.calls;
    expect(await all(runner, gateway)).toEqual(byThemselves);
    expect(arrived.calls - before).toBe(byThemselves.length);
    expect(byThemselves.slice(0, 2)).toEqual([{ outcomes: [2] }, { outcomes: [1] }]);
  });

  it('are retried while the service is unavailable only if they may be', async () => {
    const calls = await openCaller();
    const before = arrived.calls;
    tries = [];
    const about = { executionId: 'e', fence: 1 };
    expect(await outcome(calls.acquireSlot({ ...about, key: '' }))).toMatchObject({ 0: 'SERVICE_UNAVAILABLE' });
    expect(await outcome(calls.findFirstResult({ ...about, otherExecutionId: 'o' }))).toMatchObject({
      0: 'SERVICE_UNAVAILABLE',
    });
    expect(arrived.calls - before).toBe(2);
    expect(tries).toEqual(['acquireSlot', ...Array.from({ length: 4 }, () => 'findFirstResult')]);
  });

  it('travel together if they are made in one tick', async () => {
    const calls = await openCaller(peer.target, 4);
    const before = arrived.frames;
    await Promise.all(Array.from({ length: 50 }, () => calls.heartbeat(claims(1))));
    expect(arrived.frames - before).toBe(1);
  });

  it('use one stream until many are in flight or it is quiet, then the one with the fewest', async () => {
    const before = arrived.streams;
    const calls = await openCaller(peer.target, 3);
    await until('all streams are open', async () => {
      await calls.heartbeat(claims(1));
      return arrived.streams === before + 3;
    });
    const from = arrivedOn.map((stream) => stream.calls);
    const added = (): number[] =>
      arrivedOn
        .map((stream, index) => stream.calls - (from[index] ?? 0))
        .filter((count) => count > 0)
        .sort((one, two) => two - one);
    for (let count = 0; count < 10; count += 1) await calls.heartbeat(claims(1));
    expect(added()).toEqual([10]);
    const release = (): Promise<unknown> => calls.release({ entries: [] });
    const sent: Promise<unknown>[] = [];
    for (let count = 1; count <= 3 * 64 + 2; count += 1) {
      sent.push(release());
      // The next call is in another tick.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      if (count !== 64) continue;
      await isHeld(count);
      expect(added()).toEqual([10 + 64]);
    }
    await isHeld(sent.length);
    expect(added()).toEqual([10 + 65, 65, 64]);
    releaseHeld();
    await Promise.all(sent);
    const last = release();
    await isHeld(1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await calls.heartbeat(claims(1));
    expect(added()).toEqual([10 + 65 + 1, 65 + 1, 64]);
    releaseHeld();
    await last;
  });

  it('are made separately at a server without streams', async () => {
    const { target } = later(await start([runnerService()]), ({ stop }) => stop());
    const calls = callerOf(target);
    for (let round = 0; round < 5; round += 1)
      expect(await Promise.all(Array.from({ length: 5 }, () => calls.heartbeat(claims(1))))).toEqual(
        Array.from({ length: 5 }, () => ({ outcomes: [1] })),
      );
  });

  it('never include a large call, which others would wait behind', async () => {
    const calls = await openCaller();
    const before = arrived.calls;
    const large = Promise.all(Array.from({ length: 5 }, () => calls.checkpoint({ entries: [entry(3_000_000)] })));
    await calls.checkpoint({ entries: [entry(30_000)] });
    expect(arrived.calls - before).toBe(1);
    expect(await large).toEqual(Array.from({ length: 5 }, () => ({ outcomes: [1] })));
    expect(arrived.calls - before).toBe(1);
  });

  it('are made separately while a peer has too many unanswered ones', async () => {
    const calls = await openCaller();
    const before = arrived.calls;
    const entries = [{ executionId: 'e'.repeat(60_000), fence: 1 }];
    const answers = Promise.all(Array.from({ length: 100 }, () => calls.persist({ entries })));
    await isHeld(100);
    expect(arrived.calls - before).toBe(69); // 4 MiB
    releaseHeld();
    expect(await answers).toHaveLength(100);
  });

  it('let their handlers know that the caller is gone: at the deadline and when the stream breaks', async () => {
    const proxy = later(await startProxy('127.0.0.1', Number(peer.target.split(':').at(-1))), ({ close }) => close());
    const calls = await openCaller(`ipv4:127.0.0.1:${proxy.port}`);
    const late = { entries: [{ executionId: 'late', fence: 1 }] };
    await expect(calls.persist(late, { deadlineMs: 100 })).rejects.toMatchObject({
      reason: 'REQUEST_TIMED_OUT',
    });
    await until('the first handler knows', () => givenUp.has('late'), 10_000);
    await openStream(calls);
    // Its deadline is far away.
    const cut = outcome(calls.persist({ entries: [{ executionId: 'cut', fence: 1 }] }, { deadlineMs: 600_000 }));
    await isHeld(2);
    proxy.cut();
    expect(await cut).toEqual(unavailable);
    await until('the second handler knows', () => givenUp.has('cut'));
  });

  it('are sent again if the stream breaks and they may be retried, and are unavailable otherwise', async () => {
    const proxy = later(await startProxy('127.0.0.1', Number(peer.target.split(':').at(-1))), ({ close }) => close());
    const calls = await openCaller(`ipv4:127.0.0.1:${proxy.port}`);
    const answers = [
      outcome(calls.release({ entries: [{ ...entry(1), executionId: 'a' }] })),
      outcome(calls.persist({ entries: [] })),
    ];
    await isHeld(2);
    proxy.cut();
    proxy.restore();
    await isHeld(3);
    releaseHeld();
    expect(await Promise.all(answers)).toEqual([{ outcomes: [1] }, unavailable]);
  });

  it('are answered before a stopping server exits, and an open stream delays nothing', async () => {
    const own = await start(withStreams());
    const calls = await openCaller(own.target);
    const answer = calls.persist({ entries: [{ executionId: 'e', fence: 1 }] });
    await isHeld(1);
    let isStopped = false;
    const stopped = own.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    releaseHeld();
    expect(await answer).toEqual({ outcomes: [1] });
    const began = performance.now();
    await stopped;
    // Otherwise it waits for its time limit of a second.
    expect(performance.now() - began).toBeLessThan(800);
  });

  it('each need a valid token for their method, of the service that opened the stream', async () => {
    const { send, answers } = openRaw();
    const tokens = [
      keys.signerOf('runner')('executions', HEARTBEAT),
      keys.signerOf('runner')('executions', tunnelCalls.path),
      keys.signerOf('gateway')('executions', HEARTBEAT),
      keys.signerOf('runner')('workflows', HEARTBEAT),
      '',
    ];
    tokens.forEach((token, index) => send({ number: index + 1, token }));
    await until('all are answered', () => answers.length === tokens.length);
    const refused = (code: number, number: number) => ({ number, result: { $case: 'failure', value: { code } } });
    expect([...answers].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toMatchObject([
      { number: 1, result: { $case: 'response' } },
      refused(16, 2),
      refused(7, 3),
      refused(16, 4),
      refused(16, 5),
    ]);
    // A call that the gateway may make, but not on a stream of a runner.
    const editor = { userId: 'u', role: 'editor' as const };
    const respond = RunnerServiceService.respond.path;
    send({ number: 9, method: respond, token: keys.signerOf('gateway')('executions', respond, editor) });
    await until('it is refused', () => answers.length > tokens.length);
    expect(answers.at(-1)).toMatchObject(refused(7, 9));
    const expired = keys.signerOf('runner')('executions', HEARTBEAT);
    jest.useFakeTimers({ now: Date.now() + 61_000, doNotFake: ['setImmediate', 'setTimeout', 'nextTick'] });
    try {
      send({ number: 10, token: expired });
      await until('it is refused', () => answers.length > tokens.length + 1);
    } finally {
      jest.useRealTimers();
    }
    expect(answers.at(-1)).toMatchObject(refused(16, 10));
  });

  it('end their stream if their numbers do not increase', async () => {
    const { send, ended } = openRaw();
    send({ number: 2 });
    send({ number: 2 });
    await until('the stream ends', ended);
    expect(ended()).toMatchObject({ code: 3 });
  });

  it('belong to a process: its end is noticed when its last stream breaks, and not when it ends', async () => {
    const open = (processId: string) => {
      const client = new Client(peer.target, credentials.createInsecure());
      const metadata = new Metadata();
      metadata.set('x-weft-service-token', keys.signerOf('runner')('executions', tunnelCalls.path));
      metadata.set('x-weft-process-id', processId);
      const wire = client.makeBidiStreamRequest(
        tunnelCalls.path,
        tunnelCalls.requestSerialize,
        tunnelCalls.responseDeserialize,
        metadata,
        { deadline: Date.now() + 20_000 },
      );
      wire.on('error', () => undefined);
      later(client, (one) => one.close());
      return new Promise<typeof wire>((resolve) => wire.once('data', () => resolve(wire)));
    };
    lost.length = 0;
    const [first, second, proper] = [await open('r.1'), await open('r.1'), await open('r.2')];
    proper.write({ calls: [], leaving: true });
    proper.end();
    first.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(lost).toEqual([]);
    second.cancel();
    await until('the loss is noticed', () => lost.length > 0);
    expect(lost).toEqual(['r.1']);
  });

  it('move to another stream when theirs has reached its lifetime', async () => {
    const client = later(new Client(peer.target, credentials.createInsecure()), (one) => one.close());
    let end: unknown = 'none';
    const stream = openCallStream({
      client,
      token: keys.signerOf('runner')('executions', tunnelCalls.path),
      lastsMs: 300,
      onFlushed: () => undefined,
      onEnd: (wasOpen) => (end = wasOpen),
    });
    await until('the stream is open', () => stream.isOpen());
    const answer = stream.send({
      method: RunnerServiceService.persist.path,
      request: Buffer.alloc(0),
      token: keys.signerOf('runner')('executions', RunnerServiceService.persist.path),
      requestId: 'r1',
      deadline: performance.now() + 10_000,
    });
    await until('it takes no more', () => !stream.isOpen());
    expect(end).toBe('none');
    releaseHeld();
    expect(await answer).toEqual(Buffer.alloc(0));
    await until('it is over', () => end !== 'none');
    expect(end).toBe(true);
  });
});
