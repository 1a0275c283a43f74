import { credentials, Metadata } from '@grpc/grpc-js';
import { freePorts, type ServiceName } from '@weft/local-stack';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import { makeTestKeys } from '@weft/service-kit/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../../deploy/services';
import { until } from '../../support/until';

type Environment = Readonly<Record<string, string>>;

const NAMES = ['gateway', 'credentials', 'workflows', 'executions', 'runner'] as const;
const AWAY = 'ipv4:127.0.0.1:1';
const keys = makeTestKeys(NAMES);
const masterKey = `k1:${randomBytes(32).toString('base64')}`;
const stream = `differing_${randomBytes(6).toString('hex')}`;

describe('a service whose settings differ from those of a peer', () => {
  const children: ChildProcess[] = [];
  let targets: Environment = {};
  afterEach(async () => {
    await Promise.all(
      children.splice(0).map((child) => {
        if (child.exitCode !== null) return Promise.resolve();
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        return ended;
      }),
    );
  });

  const start = async (service: ServiceName, environment: Environment) => {
    const [port = 0] = await freePorts(1);
    const child = spawn(process.execPath, [join(root, 'services', service, 'dist', 'src', 'main.js')], {
      env: {
        PATH: process.env['PATH'],
        MONGODB_URI: process.env['MONGODB_URI'],
        MONGODB_DATABASE: `${stream}_${service}`,
        MASTER_KEY: masterKey,
        NATS_URL: process.env['NATS_URL'],
        NATS_STREAM: stream,
        CREDENTIALS_TARGET: AWAY,
        WORKFLOWS_TARGET: AWAY,
        EXECUTIONS_TARGET: AWAY,
        SERVICE_KEY: keys.privateKeyOf(service),
        SERVICE_PUBLIC_KEYS: keys.publicKeys,
        PORT: String(port),
        METRICS_PORT: '0',
        ...targets,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const part of [child.stdout, child.stderr]) part.on('data', (bytes) => (output += String(bytes)));
    children.push(child);
    const isReady = async (): Promise<boolean | undefined> => {
      if (child.exitCode !== null) throw new Error(`It has ended: ${output}`);
      if (service !== 'gateway') return isServing(port);
      return fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => undefined,
      );
    };
    return { target: `ipv4:127.0.0.1:${port}`, isReady, output: () => output };
  };
  const isServing = (port: number): Promise<boolean | undefined> =>
    new Promise((resolve) => {
      const client = new HealthClient(`ipv4:127.0.0.1:${port}`, credentials.createInsecure());
      client.check({ service: 'readiness' }, new Metadata(), { deadline: Date.now() + 5_000 }, (error, response) => {
        client.close();
        resolve(error === null ? response.status === Serving.SERVING : undefined);
      });
    });

  it.each<[ServiceName, ServiceName, string, string, string]>([
    ['gateway', 'credentials', 'BASIC_AUTH', 'on', 'off'],
    ['gateway', 'executions', 'PUBLIC_URL', 'https://weft.example', 'https://other.example'],
    ['runner', 'executions', 'NATS_STREAM', stream, `${stream}_other`],
    ['runner', 'workflows', 'DEFAULT_TIMEZONE', 'Europe/Berlin', 'UTC'],
  ])('%s next to %s with another %s is not ready until they match', async (service, peer, variable, value, other) => {
    targets = {};
    const called = await start(peer, { [variable]: value });
    await until(`${peer} is ready`, async () => (await called.isReady()) === true);
    targets = { [`${peer.toUpperCase()}_TARGET`]: called.target };
    const [differing, same] = [
      await start(service, { [variable]: other }),
      await start(service, { [variable]: value }),
    ];
    await until(`the ${service} with the same value is ready`, async () => (await same.isReady()) === true);
    await until(`the other ${service} is not ready`, async () => (await differing.isReady()) === false);
    const differs = ` in ${service} and `;
    await until('its log says why', async () => differing.output().includes(differs));
    expect(differing.output()).toContain(
      JSON.stringify(`${variable} is "${other}"${differs}"${value}" in ${peer}`).slice(1, -1),
    );
    expect([await differing.isReady(), await same.isReady()]).toEqual([false, true]);
    expect(same.output()).not.toContain(differs);
  });
});
