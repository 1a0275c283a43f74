import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { once } from 'node:events';
import {
  connect,
  type events,
  EventService,
  executions,
  message,
  type Connection,
  type ConnectOptions,
} from './index.js';

type ListCall = ServerUnaryCall<events.ListEventsRequest, events.ListEventsResponse>;
type StreamCall = ServerWritableStream<events.StreamEventsRequest, events.StreamEventsResponse>;

/** An id of which the server never answers a call. */
const NEVER = 'never';

/** Listens on a free port. */
const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  );

describe('a connection', () => {
  const server = new Server();
  const unary: ListCall[] = [];
  const streams: StreamCall[] = [];
  let connection: Connection;

  beforeAll(async () => {
    server.addService(EventService, {
      listEvents: (call: ListCall, answer: (error: null, response: events.ListEventsResponse) => void) => {
        unary.push(call);
        if (call.request.executionId !== NEVER) answer(null, { events: [], complete: true });
      },
      streamEvents: (call: StreamCall) => {
        streams.push(call);
        for (const value of [1, 2, 3]) call.write({ frame: { $case: 'firstSequence', value } });
        if (call.request.executionId !== NEVER) call.end();
      },
    });
    const port = await listen(server);
    connection = connect({ target: `127.0.0.1:${port}`, apiKey: 'key' });
  });
  afterAll(() => {
    connection.close();
    server.forceShutdown();
  });

  it('sends the key, the request id, the deadline, and the defaults of fields that are left out', async () => {
    const options = { requestId: 'r-1', deadlineMs: 60_000 };
    const response = await connection.call(EventService.listEvents, { executionId: 'one' }, options);
    expect(response).toEqual({ events: [], complete: true });
    const [call] = unary.splice(0);
    expect(call?.request).toEqual({ executionId: 'one', afterSequence: 0, limit: 0, waitMs: 0 });
    expect(call?.metadata.getMap()).toMatchObject({ 'x-svc-api-key': 'key', 'x-request-id': 'r-1' });
    expect(Number(call?.getDeadline())).toBeGreaterThan(Date.now() + 30_000);
  });

  it('ends a call at its deadline', async () => {
    await expect(
      connection.call(EventService.listEvents, { executionId: NEVER }, { deadlineMs: 100 }),
    ).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
    unary.length = 0;
  });

  it.each(['before it is sent', 'while it waits'])('cancels a call whose signal is aborted %s', async (when) => {
    const abort = new AbortController();
    if (when === 'before it is sent') abort.abort();
    const outcome = connection.call(EventService.listEvents, { executionId: NEVER }, { signal: abort.signal });
    const rejected = expect(outcome).rejects.toMatchObject({ code: status.CANCELLED });
    abort.abort();
    await rejected;
  });

  it('reads a stream to its end', async () => {
    const numbers: unknown[] = [];
    for await (const { frame } of connection.stream(EventService.streamEvents, { executionId: 'one' }))
      numbers.push(frame?.value);
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('cancels a stream when its loop is left', async () => {
    streams.length = 0;
    const frames = connection.stream(EventService.streamEvents, { executionId: NEVER }, { deadlineMs: 3_600_000 });
    for await (const { frame } of frames) if (frame?.value === 2) break;
    const [call] = streams;
    if (call === undefined) throw new Error('The stream did not arrive.');
    if (!call.cancelled) await once(call, 'cancelled');
    expect(call.cancelled).toBe(true);
  });

  it('throws the error of a stream in its loop', async () => {
    const read = async (): Promise<void> => {
      for await (const _ of connection.stream(EventService.streamEvents, { executionId: NEVER }, { deadlineMs: 100 }));
    };
    await expect(read()).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED, metadata: expect.any(Metadata) });
  });
});

describe('a connection to several replicas', () => {
  it('calls each of them', async () => {
    const called = new Set<number>();
    const servers = [0, 1].map((index) => {
      const server = new Server();
      server.addService(EventService, {
        listEvents: (_: ListCall, answer: (error: null, response: events.ListEventsResponse) => void) => {
          called.add(index);
          answer(null, { events: [], complete: true });
        },
        streamEvents: (call: StreamCall) => call.end(),
      });
      return server;
    });
    const ports = await Promise.all(servers.map(listen));
    const addresses = ports.map((port) => `127.0.0.1:${port}`).join(',');
    const connection = connect({ target: `ipv4:${addresses}`, apiKey: 'key' });
    // the first calls may be sent before the second replica is connected
    while (called.size < servers.length) await connection.call(EventService.listEvents, { executionId: 'one' });
    connection.close();
    for (const server of servers) server.forceShutdown();
  });
});

describe('connect', () => {
  it.each<[Partial<ConnectOptions>, string]>([
    [{ target: '' }, 'target is required'],
    [{ target: 'http://127.0.0.1:7002' }, 'target must be HOST:PORT without http'],
    [{ apiKey: '' }, 'apiKey must be an API key'],
    [{ apiKey: 'wk_1\n' }, 'apiKey must be an API key'],
    [{ tls: { cert: 'PEM' } }, 'tls.cert and tls.key must be set together'],
  ])('refuses %j', (options, sentence) => {
    expect(() => connect({ target: '127.0.0.1:7002', apiKey: 'key', ...options })).toThrow(sentence);
  });
});

describe('a message', () => {
  it('has the defaults of the fields that are left out', () => {
    const start = message(executions.ExecutionStart, { workflowId: 'w', wait: executions.StartWait.START_WAIT_END });
    expect(start).toMatchObject({ workflowId: 'w', idempotencyKey: '', input: Buffer.alloc(0), wait: start.wait });
    expect(() => executions.ExecutionStart.encode(start)).not.toThrow();
  });
});
