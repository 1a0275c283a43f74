import { RunnerServiceService } from '@weft/proto/runner';
import { HealthService } from '@weft/proto/health';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Unauthorized } from '../src/errors';
import { bindService, startGrpcServer, type GrpcServer } from '../src/grpc';
import { closeAfterEach, testLogger, until } from '../src/testing';

const MB = 1_000_000;
/** Bytes that a stream may send before an acknowledgement: `WINDOW_BYTES` of the server. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
/** Bytes that a connection may send before an acknowledgement, by HTTP/2. */
const FIRST_WINDOW_BYTES = 65_535;
const UNAVAILABLE = '14';
const RESOURCE_EXHAUSTED = '8';

/** A gRPC frame: no compression, its length, its bytes. */
const framed = (message: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

const statusOf = (stream: ClientHttp2Stream): Promise<string> =>
  new Promise((resolve) => {
    for (const event of ['response', 'trailers'])
      stream.on(event, (headers: Record<string, unknown>) => {
        if (headers['grpc-status'] !== undefined) resolve(String(headers['grpc-status']));
      });
    stream.on('error', () => resolve('broken'));
    stream.resume();
  });

describe('an unauthenticated call', () => {
  const later = closeAfterEach();
  let server: GrpcServer;
  let verifications: (() => void)[];
  let looks = 0;
  const handle = () => {
    throw new Error('A handler was called.');
  };
  const handlers = {
    claim: handle,
    heartbeat: handle,
    persist: handle,
    checkpoint: handle,
    report: handle,
    respond: handle,
    wait: handle,
    release: handle,
    startChild: handle,
    acquireSlot: handle,
    findFirstResult: handle,
    countModelTokens: handle,
    endRunner: handle,
    putChunk: handle,
    getChunk: handle,
    readNodeRuns: handle,
  };
  const rule = { users: 'workflows:write' as const };
  const access = {
    claim: rule,
    heartbeat: rule,
    persist: rule,
    checkpoint: rule,
    report: rule,
    respond: rule,
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
  const open = (): ClientHttp2Session =>
    later(connect(`http://127.0.0.1:${server.port}`, { maxSessionMemory: 1_000 }), (session) => session.destroy());
  const call = (session: ClientHttp2Session, path: string, headers: Record<string, string> = {}): ClientHttp2Stream =>
    session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });

  beforeEach(async () => {
    verifications = [];
    looks = 0;
    server = later(
      await startGrpcServer({
        host: '127.0.0.1',
        port: 0,
        services: [bindService(RunnerServiceService, handlers, access)],
        logger: testLogger(),
        reflection: false,
        authentication: {
          verifyToken: () => {
            throw new Unauthorized();
          },
          verifyUser: () =>
            new Promise((_, reject) => {
              verifications.push(() => reject(new Unauthorized()));
            }),
          trustedCallers: [],
        },
        checkReady: () => {
          looks += 1;
          return Promise.resolve(true);
        },
        checkLive: () => true,
      }),
      (running) => running.stop(0),
    );
    server.health.setReady(true);
  });

  it('can send little of its message until its key is verified, however many calls its connection has', async () => {
    const session = open();
    const calls = Array.from({ length: 20 }, (_, index) =>
      call(session, RunnerServiceService.claim.path, { 'x-svc-api-key': `weft_${index}` }),
    );
    const ends = calls.map(statusOf);
    await until('all are being verified', () => verifications.length === 20);
    // Everything the server lets the connection send has arrived with the second response.
    for (let n = 0; n < 2; n += 1) await new Promise((resolve) => session.ping(resolve));
    expect(session.state.remoteWindowSize).toBe(FIRST_WINDOW_BYTES);
    expect(session.remoteSettings?.initialWindowSize).toBe(STREAM_WINDOW_BYTES);
    for (const one of calls) one.write(framed(Buffer.alloc(15 * MB)));
    await until('the window is used up', () => (session.state.remoteWindowSize ?? 1) === 0);
    // Of 300 MB: the window of the connection, and the read-ahead of each stream. That is mostly nothing, 10 MB in
    // total on a busy machine, and never more than the windows of the streams.
    expect(session.socket.bytesWritten).toBeLessThan(calls.length * STREAM_WINDOW_BYTES + MB);
    for (const refuse of verifications) refuse();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['16']));
  });

  it('is refused without credentials while its message is still being sent', async () => {
    const one = call(open(), RunnerServiceService.claim.path);
    one.write(framed(Buffer.alloc(15 * MB)));
    expect(await statusOf(one)).toBe('16');
  });

  it.each([
    ['without a proof', RunnerServiceService.claim.path, {}, '16'],
    ['with a wrong key', RunnerServiceService.claim.path, { 'x-svc-api-key': 'weft_guessed' }, '16'],
    ['to a method that is open to anybody', HealthService.check.path, {}, RESOURCE_EXHAUSTED],
  ])('sends no more of its message once it is refused %s', async (_how, path, headers, status) => {
    const session = open();
    const one = call(session, path, headers);
    const closed = new Promise<void>((resolve) => one.once('close', resolve));
    const told = statusOf(one);
    one.end(framed(Buffer.alloc(15 * MB)));
    if ('x-svc-api-key' in headers) {
      await until('its key is being verified', () => verifications.length === 1);
      verifications[0]?.();
    }
    expect(await told).toBe(status);
    await closed;
    expect(session.socket.bytesWritten).toBeLessThan(STREAM_WINDOW_BYTES + MB);
  });

  it('is refused while 200 others of its connection are verified, but not on another connection', async () => {
    const [session, other] = [open(), open()];
    const calls = Array.from({ length: 203 }, (_, index) =>
      call(session, RunnerServiceService.claim.path, { 'x-svc-api-key': `weft_${index}` }),
    );
    expect(await Promise.all(calls.slice(200).map(statusOf))).toEqual(Array(3).fill(UNAVAILABLE));
    call(other, RunnerServiceService.claim.path, { 'x-svc-api-key': 'weft_other' });
    await until('the other is being verified', () => verifications.length === 201);
  });

  it('may send at most 64 KiB to a public method', async () => {
    const session = open();
    const check = (bytes: number): Promise<string> => {
      const one = call(session, HealthService.check.path);
      const name = Buffer.alloc(bytes, 'x');
      one.end(framed(HealthService.check.requestSerialize({ service: name.toString() })));
      return statusOf(one);
    };
    expect(await check(60_000)).toBe('5');
    expect(await check(66_000)).toBe(RESOURCE_EXHAUSTED);
  });

  it('is limited to sixteen streams of a connection, which share one check of the store', async () => {
    const session = open();
    const watch = (): ClientHttp2Stream => {
      const one = call(session, HealthService.watch.path);
      one.end(framed(HealthService.watch.requestSerialize({ service: '' })));
      return one;
    };
    const watched = Array.from({ length: 16 }, watch);
    await Promise.all(watched.map((one) => new Promise((resolve) => one.once('data', resolve))));
    expect(await statusOf(watch())).toBe(UNAVAILABLE);
    const before = looks;
    await until('the store was looked at again', () => looks > before + 1);
    expect(looks - before).toBe(2);
    watched[0]?.close();
    const next = await until('a stream is free again', async () => {
      const one = watch();
      return Promise.race([
        new Promise<ClientHttp2Stream>((resolve) => one.once('data', () => resolve(one))),
        statusOf(one).then(() => undefined),
      ]);
    });
    expect(next).toBeDefined();
  });
});
