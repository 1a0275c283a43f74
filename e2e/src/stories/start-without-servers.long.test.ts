import { credentials, Metadata } from '@grpc/grpc-js';
import { freePorts, type ServiceName } from '@weft/local-stack';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import { makeTestKeys, startProxy, type Proxy } from '@weft/service-kit/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../deploy/services';
import { until } from '../support/until';

const keys = makeTestKeys(['credentials', 'runner']);
const addressOf = (name: string): URL => new URL(process.env[name] ?? '');

/** What a service needs besides the server that is away. */
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

const health = (port: number, service: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const client = new HealthClient(`ipv4:127.0.0.1:${port}`, credentials.createInsecure());
    client.check({ service }, new Metadata(), { deadline: Date.now() + 5_000 }, (error, response) => {
      client.close();
      resolve(error === null ? Serving[response.status] : undefined);
    });
  });

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

  const start = async (name: ServiceName & keyof typeof settings): Promise<number> => {
    const [port = 0] = await freePorts(1);
    const started = spawn(process.execPath, [join(root, 'services', name, 'dist', 'src', 'main.js')], {
      env: {
        PATH: process.env['PATH'],
        ...settings[name],
        ...variablesFor(proxy.port),
        SERVICE_KEY: keys.privateKeyOf(name),
        SERVICE_PUBLIC_KEYS: keys.publicKeys,
        PORT: String(port),
        METRICS_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
    child = started;
    ended = new Promise((resolve) => started.once('exit', resolve));
    await until('an answer on its port', async () => {
      if (started.exitCode !== null) throw new Error(`It has ended: ${output}`);
      return (await health(port, 'liveness')) === 'SERVING';
    });
    return port;
  };

  beforeEach(async () => {
    proxy = await startProxy(address.hostname, Number(address.port));
    proxy.cut();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await proxy.close();
  });

  it('is alive and not ready, says so once, and serves when the server is back', async () => {
    const port = await start(service);
    await until('its word in the log', () => Promise.resolve(output.includes(`${server} cannot be used yet`)));
    expect(await health(port, 'readiness')).toBe('NOT_SERVING');
    proxy.restore();
    await until('its readiness', async () => (await health(port, 'readiness')) === 'SERVING');
    expect(output).toContain(`${server} is available`);
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends at once, in order, when it is told to', async () => {
    await start(service);
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
