import { status as GrpcCode } from '@grpc/grpc-js';
import { ApiKeyServiceService } from '@weft/proto/identity';
import { RunnerServiceService, WriteOutcome } from '@weft/proto/runner';
import { connect } from 'node:http2';
import { setTimeout } from 'node:timers/promises';
import { withContext } from '../src/context';
import { InvalidRequest, ServiceError, Unavailable } from '../src/errors';
import { bindService, createCaller, type Handlers } from '../src/grpc';
import { closeAfterEach, keptLog, makeTestKeys, startFakePeer, until, type FakePeer } from '../src/testing';

const keys = makeTestKeys(['gateway', 'runner', 'executions']);
const SLOW = 'slow';
const SLOW_MS = 100;
const refuse = (): never => {
  throw new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' });
};
const unused = () =>
  Promise.reject(
    new ServiceError({
      reason: 'THING_NOT_FOUND',
      kind: 'not-found',
      message: 'No thing.',
      details: { thingId: 't1' },
      fields: [{ field: 'a.b', message: 'Change it.' }],
      retryAfterSeconds: 3,
    }),
  );

const uploads: number[] = [];
/** Number of messages read from slowly read uploads. */
let slowReads = 0;
/** Reasons for which such uploads ended. */
const slowEnds: string[] = [];
/** Errors logged by the service. */
const faults = keptLog('error');
/** Calls of methods that are unavailable, in order. */
const tries: string[] = [];
const tried = (method: string): Promise<never> => {
  tries.push(method);
  return Promise.reject(new Unavailable('Not now.'));
};
/** Sixty fields with the same error. */
const wrongFields = (message: string) => Array.from({ length: 60 }, (_, index) => ({ field: `f[${index}]`, message }));
/** The error with which a method refuses its calls. */
let refusal = new InvalidRequest('Wrong in many places.', wrongFields('is required'));
/** Number of calls that are never answered. */
let hanging = 0;
/** Number of calls that noticed that their caller is gone. */
let givenUp = 0;
const handlers: Handlers<typeof RunnerServiceService> = {
  claim: unused,
  heartbeat: (request, context) =>
    Promise.resolve({ outcomes: request.held.map(() => (context.service === 'runner' ? 1 : 2)) }),
  persist: unused,
  checkpoint: () => {
    throw new TypeError('a fault of ours with a secret in it');
  },
  report: () => {
    hanging += 1;
    return new Promise(() => undefined);
  },
  respond: (_, { signal }) =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        givenUp += 1;
      });
    }),
  wait: () => {
    throw refusal;
  },
  release: () => tried('release'),
  startChild: unused,
  acquireSlot: () => tried('acquireSlot'),
  findFirstResult: () => tried('acquireSlot'),
  countModelTokens: () => tried('acquireSlot'),
  endRunner: () => Promise.resolve({}),
  putChunk: async (requests) => {
    let size = 0;
    try {
      for await (const request of requests) {
        size += request.data.length;
        if (request.chunkId !== SLOW) continue;
        slowReads += 1;
        await setTimeout(SLOW_MS);
      }
    } catch (error) {
      slowEnds.push(error instanceof ServiceError ? error.reason : String(error));
      throw error;
    }
    uploads.push(size);
    return { outcome: size === 3_000_000 ? WriteOutcome.WRITE_OUTCOME_APPLIED : WriteOutcome.WRITE_OUTCOME_FENCED };
  },
  async *getChunk(request) {
    if (request.chunkId === 'missing') refuse();
    yield { data: Buffer.from('a') };
    yield { data: Buffer.from('b') };
  },
  async *readNodeRuns() {},
};
const rule = { services: ['runner'] };
const access = {
  claim: rule,
  heartbeat: rule,
  persist: rule,
  checkpoint: rule,
  report: rule,
  respond: rule,
  wait: rule,
  release: rule,
  startChild: { users: 'workflows:write' as const },
  acquireSlot: rule,
  findFirstResult: rule,
  countModelTokens: rule,
  endRunner: rule,
  putChunk: rule,
  getChunk: rule,
  readNodeRuns: rule,
};

describe('a gRPC service', () => {
  let peer: FakePeer;
  const later = closeAfterEach();
  const callerOf = (service: string) => {
    const caller = createCaller(RunnerServiceService, {
      service: 'executions',
      target: peer.target,
      sign: keys.signerOf(service),
    });
    return later(caller, ({ close }) => close());
  };

  beforeAll(async () => {
    peer = await startFakePeer({
      name: 'executions',
      publicKeys: keys.publicKeys,
      services: [bindService(RunnerServiceService, handlers, access)],
      logger: faults.logger,
    });
  });
  afterAll(() => peer.stop());

  it('answers a permitted service, and passes its name to the handler', async () => {
    const { calls } = callerOf('runner');
    expect(await calls.heartbeat({ runnerId: 'r', held: [{ executionId: 'e', fence: 1 }] })).toEqual({ outcomes: [1] });
  });

  it('refuses a service without permission', async () => {
    const { calls } = callerOf('gateway');
    await expect(calls.heartbeat({ runnerId: 'r', held: [] })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
      kind: 'forbidden',
    });
  });

  it('signs again once when a token is refused, and then reports the service unavailable', async () => {
    const wrong = makeTestKeys(['runner']).signerOf('runner');
    const right = keys.signerOf('runner');
    const signed: boolean[] = [];
    const callerOf = (staysWrong: boolean) =>
      later(
        createCaller(RunnerServiceService, {
          service: 'executions',
          target: peer.target,
          sign: (audience, method, principal, isRefused = false) => {
            signed.push(isRefused);
            return (isRefused && !staysWrong ? right : wrong)(audience, method, principal);
          },
        }),
        ({ close }) => close(),
      ).calls;
    expect(await callerOf(false).heartbeat({ runnerId: 'r', held: [] })).toEqual({ outcomes: [] });
    expect(signed).toEqual([false, true]);
    await expect(callerOf(true).heartbeat({ runnerId: 'r', held: [] })).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
    expect(signed).toEqual([false, true, false, true]);
  });

  it('lets only trusted services act for users, and checks the role', async () => {
    const request = {
      runnerId: 'r',
      parentExecutionId: '',
      fence: 0,
      node: '',
      run: 0,
      item: 0,
      workflowId: '',
      input: Buffer.alloc(0),
      knownVersionIds: [],
      detached: false,
    };
    const gateway = callerOf('gateway');
    await expect(
      gateway.calls.startChild(request, { principal: { userId: 'u', role: 'viewer' } }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(
      gateway.calls.startChild(request, { principal: { userId: 'u', role: 'editor' } }),
    ).rejects.toMatchObject({ reason: 'THING_NOT_FOUND' });
    const runner = callerOf('runner');
    await expect(runner.calls.startChild(request, { principal: { userId: 'u', role: 'owner' } })).rejects.toMatchObject(
      { reason: 'FORBIDDEN' },
    );
  });

  it('passes the reason, details, fields and retry time of an error to the caller', async () => {
    const { calls } = callerOf('runner');
    await expect(
      calls.claim({ executionIds: [], runnerId: '', claimId: '', knownVersionIds: [] }),
    ).rejects.toMatchObject({
      reason: 'THING_NOT_FOUND',
      kind: 'not-found',
      message: 'No thing.',
      details: { thingId: 't1' },
      fields: [{ field: 'a.b', message: 'Change it.' }],
      retryAfterSeconds: 3,
    });
  });

  it('refuses a message of more than 16 MiB as soon as its length has arrived', async () => {
    const session = later(connect(peer.target.replace('ipv4:', 'http://')), (opened) => opened.destroy());
    const { path } = RunnerServiceService.claim;
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-weft-service-token': keys.signerOf('runner')('executions', path),
    });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(16 * 1024 * 1024 + 1, 1);
    stream.write(head);
    const code = await new Promise((resolve) => {
      for (const event of ['response', 'trailers'])
        stream.on(event, (headers: Readonly<Record<string, unknown>>) => {
          if (headers['grpc-status'] !== undefined) resolve(headers['grpc-status']);
        });
    });
    expect(code).toBe(String(GrpcCode.RESOURCE_EXHAUSTED));
  });

  it('reports fifty of the invalid fields, so that the error fits into its headers', async () => {
    const { calls } = callerOf('runner');
    const waiting = calls.wait({ entries: [] });
    await expect(waiting).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: expect.any(Array) });
    expect(await waiting.catch((error: unknown) => (error instanceof ServiceError ? error.fields : []))).toHaveLength(
      50,
    );
  });

  it('handles a message cut in the middle of a character, and continues to serve', async () => {
    const cut = `a${'\u{1F600}'.repeat(60)}`.slice(0, 100);
    refusal = new InvalidRequest(`Not found: ${cut}`, [{ field: cut, message: cut }]);
    const refused = callerOf('runner').calls.wait({ entries: [] });
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      message: `Not found: ${cut.slice(0, -1)}\ufffd`,
      fields: [{ message: `${cut.slice(0, -1)}\ufffd` }],
    });
    expect((await callerOf('runner').calls.heartbeat({ runnerId: 'r', held: [] })).outcomes).toEqual([]);
  });

  it('truncates messages that are too long for headers', async () => {
    const long = '\u{1F600}'.repeat(2_000);
    refusal = new InvalidRequest(long, wrongFields(long));
    const error: unknown = await callerOf('runner')
      .calls.wait({ entries: [] })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'invalid', reason: 'INVALID_REQUEST', fields: expect.any(Array) });
  });

  it('retries only repeatable calls while the service is unavailable', async () => {
    const caller = createCaller(RunnerServiceService, {
      service: 'executions',
      target: peer.target,
      sign: keys.signerOf('runner'),
      retried: ['release'],
    });
    const { calls } = later(caller, ({ close }) => close());
    tries.length = 0;
    await expect(calls.release({ entries: [] })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(tries).toEqual(['release', 'release', 'release']);
    tries.length = 0;
    await expect(calls.acquireSlot({ executionId: '', fence: 0, key: '' })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(tries).toEqual(['acquireSlot']);
  });

  it('hides the message of an internal error', async () => {
    const { calls } = callerOf('runner');
    await expect(calls.checkpoint({ entries: [] })).rejects.toMatchObject({
      reason: 'INTERNAL_ERROR',
      message: 'Internal error.',
    });
  });

  it('gives up at the deadline of the current request', async () => {
    const { calls } = callerOf('runner');
    const late = withContext({ requestId: 'r1', deadline: performance.now() + 150 }, () =>
      calls.report({ entries: [] }),
    );
    await expect(late).rejects.toMatchObject({ reason: 'REQUEST_TIMED_OUT' });
  });

  it('lets a handler know that its caller has given up', async () => {
    const { calls } = callerOf('runner');
    const before = givenUp;
    const response = { statusCode: 200, headers: [], body: Buffer.alloc(0) };
    await expect(calls.respond({ executionId: 'e', fence: 1, response }, { deadlineMs: 100 })).rejects.toMatchObject({
      reason: 'REQUEST_TIMED_OUT',
    });
    await until('the handler knows', () => givenUp > before);
  });

  it('ends calls that do not finish before it stops, and their callers see it as unavailable', async () => {
    const own = later(
      await startFakePeer({
        name: 'executions',
        publicKeys: keys.publicKeys,
        services: [bindService(RunnerServiceService, handlers, access)],
      }),
      ({ stop }) => stop(),
    );
    const caller = createCaller(RunnerServiceService, {
      service: 'executions',
      target: own.target,
      sign: keys.signerOf('runner'),
    });
    const { calls } = later(caller, ({ close }) => close());
    await calls.heartbeat({ runnerId: 'r', held: [] });
    const before = hanging;
    const ended = expect(calls.report({ entries: [] }, { deadlineMs: 20_000 })).rejects.toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
      kind: 'unavailable',
      cause: { code: GrpcCode.CANCELLED },
    });
    await until('the call is under way', () => hanging > before);
    await own.stop();
    await ended;
  });

  it('streams both ways, and a large request within bounded memory', async () => {
    const { calls } = callerOf('runner');
    const parts: string[] = [];
    for await (const { data } of calls.getChunk({ executionId: 'e', fence: 1, chunkId: 'c' }))
      parts.push(data.toString());
    expect(parts).toEqual(['a', 'b']);
    const pieces = Array.from({ length: 30 }, () => ({
      executionId: 'e',
      fence: 1,
      chunkId: 'c',
      data: Buffer.alloc(100_000),
    }));
    expect(await calls.putChunk(pieces)).toEqual({ outcome: WriteOutcome.WRITE_OUTCOME_APPLIED });
    const read = async () => {
      for await (const part of calls.getChunk({ executionId: 'e', fence: 1, chunkId: 'missing' }))
        expect(part).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({ reason: 'NOT_USED' });
  });

  it('never treats a stream that its caller cancelled as complete', async () => {
    const { calls } = callerOf('runner');
    const before = uploads.length;
    const broken = async function* () {
      yield { executionId: 'e', fence: 1, chunkId: 'c', data: Buffer.alloc(100_000) };
      throw new Error('broken off');
    };
    await Promise.all(Array.from({ length: 20 }, () => expect(calls.putChunk(broken())).rejects.toThrow()));
    await calls.putChunk([{ executionId: 'e', fence: 1, chunkId: 'c', data: Buffer.alloc(1) }]);
    expect(uploads.slice(before)).toEqual([1]);
  });

  it('logs no error when a caller cancels a stream with unread messages', async () => {
    const before = faults.lines.length;
    slowEnds.length = 0;
    slowReads = 0;
    async function* broken() {
      for (let n = 0; n < 3; n += 1) yield { executionId: 'e', fence: 1, chunkId: SLOW, data: Buffer.alloc(100_000) };
      await until('the first is being read', () => slowReads > 0);
      throw new Error('The sender has left.');
    }
    await expect(callerOf('runner').calls.putChunk(broken())).rejects.toThrow('The sender has left.');
    await until('the upload has ended', () => slowEnds.length > 0);
    expect([slowEnds, faults.lines.slice(before)]).toEqual([['REQUEST_TIMED_OUT'], []]);
  });

  it('opens its breaker for calls that miss their deadline, but not for long polls', async () => {
    const outcome = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => 'answered',
        (error: unknown) => (error instanceof ServiceError ? error.reason : error),
      );
    const afterDeadlines = async (waits: boolean): Promise<unknown[]> => {
      const { calls } = callerOf('runner');
      const late = await Promise.all(
        Array.from({ length: 30 }, () => outcome(calls.report({ entries: [] }, { deadlineMs: 200, waits }))),
      );
      const next = await outcome(calls.heartbeat({ runnerId: 'r', held: [] }, { waits }));
      return [...new Set(late), next];
    };
    expect(await afterDeadlines(true)).toEqual(['REQUEST_TIMED_OUT', 'answered']);
    expect(await afterDeadlines(false)).toEqual(['REQUEST_TIMED_OUT', 'SERVICE_UNAVAILABLE']);
  });

  it('reports unavailable when no server listens', async () => {
    const caller = createCaller(ApiKeyServiceService, {
      service: 'credentials',
      target: 'ipv4:127.0.0.1:1',
      sign: keys.signerOf('gateway'),
    });
    const { calls } = later(caller, ({ close }) => close());
    await expect(calls.listApiKeys({})).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable' });
  });
});
