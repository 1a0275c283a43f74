import {
  type ChannelOptions,
  Client,
  credentials,
  type sendUnaryData,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import { HealthService, type HealthCheckRequest, type HealthCheckResponse } from '@weft/proto/health';
import { clientOptions, SERVER_OPTIONS } from '../src/grpc/client/channel';
import { keepDrainingConnections } from '../src/grpc/server/draining-connections';
import { startProxy } from '../src/testing';

/** The services' own settings, with a keepalive that a test can wait for. */
const KEEPALIVE_MS = 200;
const CLIENT: ChannelOptions = {
  ...clientOptions([]),
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_MS,
};

const { path, requestSerialize, responseDeserialize } = HealthService.check;
/** A service that does not answer its calls. */
const SILENT = 'silent';
const check = (client: Client, service = '', limitMs = 10_000): Promise<HealthCheckResponse | undefined> =>
  new Promise((resolve, reject) => {
    const deadline = Date.now() + limitMs;
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, { deadline }, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });

describe('a draining connection', () => {
  let server: Server;
  let answerAfterMs = 0;
  const serve = (options: ChannelOptions): Promise<number> => {
    server = new Server({ ...SERVER_OPTIONS, ...options });
    server.addService(HealthService, {
      check: ({ request }: { request: HealthCheckRequest }, answer: sendUnaryData<HealthCheckResponse>) => {
        if (request.service !== SILENT) setTimeout(() => answer(null, { status: 1 }), answerAfterMs);
      },
    });
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  };
  beforeAll(keepDrainingConnections);
  afterEach(() => server.forceShutdown());

  it('lets calls longer than a keepalive end when the server asks for another connection', async () => {
    answerAfterMs = 8 * KEEPALIVE_MS;
    const port = await serve({ 'grpc.max_connection_age_ms': KEEPALIVE_MS / 2 });
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), CLIENT);
    await expect(check(client)).resolves.toEqual({ status: 1 });
    client.close();
  });

  it('lets its other calls end while one is never answered, and later calls go elsewhere', async () => {
    answerAfterMs = 8 * KEEPALIVE_MS;
    const port = await serve({ 'grpc.max_connection_age_ms': KEEPALIVE_MS / 2 });
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), CLIENT);
    const silent = check(client, SILENT, 12 * KEEPALIVE_MS).catch((error: unknown) => error);
    const calls = Array.from({ length: 10 }, () => check(client));
    await new Promise((resolve) => setTimeout(resolve, 2 * KEEPALIVE_MS));
    calls.push(check(client));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 11 }, () => ({ status: 1 })));
    expect(await silent).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    client.close();
  });

  it('lets calls longer than a keepalive end when the channel is closed', async () => {
    answerAfterMs = 8 * KEEPALIVE_MS;
    const client = new Client(`127.0.0.1:${await serve({})}`, credentials.createInsecure(), {
      ...CLIENT,
      'grpc.use_local_subchannel_pool': 1,
    });
    const call = check(client);
    setTimeout(() => client.close(), KEEPALIVE_MS / 2);
    await expect(call).resolves.toEqual({ status: 1 });
  });

  it('does not spare a silent server', async () => {
    answerAfterMs = 0;
    const proxy = await startProxy('127.0.0.1', await serve({}));
    const client = new Client(`127.0.0.1:${proxy.port}`, credentials.createInsecure(), CLIENT);
    await check(client);
    proxy.freeze();
    await expect(check(client)).rejects.toMatchObject({ code: status.UNAVAILABLE, details: 'Connection dropped' });
    client.close();
    await proxy.close();
  });

  it('is never pinged by a server during its lifetime', () => {
    const {
      'grpc.keepalive_time_ms': pingMs = Number.POSITIVE_INFINITY,
      'grpc.max_connection_age_ms': ageMs = 0,
      'grpc.max_connection_age_grace_ms': graceMs = 0,
    } = SERVER_OPTIONS;
    expect(pingMs).toBeGreaterThan(1.1 * ageMs + graceMs);
  });
});
