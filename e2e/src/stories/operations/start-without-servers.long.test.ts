import { credentials, Metadata, status as GrpcCode } from '@grpc/grpc-js';
import { freePorts, type ServiceName } from '@weft/local-stack';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import { makeTestKeys, startProxy, type Proxy } from '@weft/service-kit/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../../deploy/services';
import { until } from '../../support/until';

const keys = makeTestKeys(['credentials', 'runner']);
const addressOf = (name: string): URL => new URL(process.env[name] ?? '');

/** Settings that a service needs in addition to the server that is away. */
const settings: Readonly<Record<'credentials' | 'runner', Readonly<Record<string, string>>>> = {
  credentials: {
    MONGODB_DATABASE: `start_${randomBytes(6).toString('hex')}`,
    MASTER_KEY: `k1:${randomBytes(32).toString('base64')}`,
    WEFT_OWNER_EMAIL: 'owner@weft.local',
    WEFT_OWNER_PASSWORD: randomBytes(15).toString('base64url'),
    EXECUTIONS_TARGET: 'ipv4:127.0.0.1:1',
    WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1',
  },
  runner: {
    NATS_STREAM: `start_${randomBytes(6).toString('hex')}`,
    EXECUTIONS_TARGET: 'ipv4:127.0.0.1:1',
    WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1',
    CREDENTIALS_TARGET: 'ipv4:127.0.0.1:1',
  },
};

/** Ports of a process. */
interface Ports {
  readonly grpc: number;
  readonly metrics: number;
}

/** The answer of the health service, or the code of the error. */
const callHealth = ({ grpc }: Ports): Promise<string | undefined> =>
  new Promise((resolve) => {
    const client = new HealthClient(`ipv4:127.0.0.1:${grpc}`, credentials.createInsecure());
    client.check({ service: '' }, new Metadata(), { deadline: Date.now() + 5_000 }, (error, response) => {
      client.close();
      resolve(error === null ? Serving[response.status] : GrpcCode[error.code]);
    });
  });

const probe = ({ metrics }: Ports, path: '/livez' | '/readyz'): Promise<number | undefined> =>
  fetch(`http://127.0.0.1:${metrics}${path}`).then(
    ({ status }) => status,
    () => undefined,
  );

describe.each([
  [
    'credentials',
    'MongoDB',
    addressOf('MONGODB_URI'),
    (port: number) => ({ MONGODB_URI: `mongodb://127.0.0.1:${port}` }),
  ],
  ['runner', 'NATS', addressOf('NATS_URL'), (port: number) => ({ NATS_URL: `nats://127.0.0.1:${port}` })],
] as const)('a %s that starts while %s is away', (service, server, address, variablesFor) => {
  let proxy: Proxy;
  let child: ChildProcess | undefined;
  let ended: Promise<number | null>;
  let output = '';

  const start = async (name: ServiceName & keyof typeof settings): Promise<Ports> => {
    const [grpc = 0, metrics = 0] = await freePorts(2);
    const ports = { grpc, metrics };
    const started = spawn(process.execPath, [join(root, 'services', name, 'dist', 'src', 'main.js')], {
      env: {
        PATH: process.env['PATH'],
        ...settings[name],
        ...variablesFor(proxy.port),
        SERVICE_KEY: keys.privateKeyOf(name),
        SERVICE_PUBLIC_KEYS: keys.publicKeys,
        PORT: String(grpc),
        METRICS_PORT: String(metrics),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
    child = started;
    ended = new Promise((resolve) => started.once('exit', resolve));
    await until('its life', async () => {
      if (started.exitCode !== null) throw new Error(`It has ended: ${output}`);
      return (await probe(ports, '/livez')) === 200;
    });
    return ports;
  };

  beforeEach(async () => {
    proxy = await startProxy(address.hostname, Number(address.port));
    proxy.cut();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await proxy.close();
  });

  it('is alive and not ready, refuses calls as unavailable, and serves when the server is back', async () => {
    const ports = await start(service);
    await until('its word in the log', () => Promise.resolve(output.includes(`${server} cannot be used yet`)));
    expect(await probe(ports, '/readyz')).toBe(503);
    expect(await callHealth(ports)).toBe('UNAVAILABLE');
    proxy.restore();
    await until('its readiness', async () => (await probe(ports, '/readyz')) === 200);
    expect(await callHealth(ports)).toBe('SERVING');
    // Log lines are written within 50 ms.
    await until('the message in its log', () => Promise.resolve(output.includes(`${server} is available`)));
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends at once, in order, when it is told to', async () => {
    await start(service);
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
