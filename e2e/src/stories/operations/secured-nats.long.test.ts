import {
  borrowStack,
  findNats,
  findPlaces,
  freePort,
  giveStackBack,
  Ledger,
  makeCertificate,
  NatsServer,
  type Stack,
} from '@weft/local-stack';
import { createLogger } from '@weft/service-kit/logging';
import { connectNats, type NatsConnection, type NatsSettings } from '@weft/service-kit/nats';
import { nkeys } from 'nats';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCredentials } from '../../support/processes/nats-credentials';
import { callWebhook, restClient, textOf } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const folder = mkdtempSync(join(tmpdir(), 'secured-nats-'));
const certificate = makeCertificate(folder, ['localhost']);
const { certificateFile, keyFile } = certificate;
const user = nkeys.createUser();
const seedOf = (key: KeyPair): string => new TextDecoder().decode(key.getSeed());
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const TLS = `tls { cert_file: "${certificateFile}", key_file: "${keyFile}" }`;
const MUTUAL = TLS.replace(' }', `, ca_file: "${certificate.authorityFile}", verify: true }`);

const servers: NatsServer[] = [];
const connections: NatsConnection[] = [];
const natsWith = async (
  name: string,
  config: string,
): Promise<{ readonly server: NatsServer; readonly port: number }> => {
  const port = await freePort();
  const data = join(folder, name);
  const server = await NatsServer.start({
    program: await findNats(findPlaces(process.env).cache, () => undefined),
    port,
    data,
    ledger: new Ledger(join(data, 'run')),
    configFile: file(`${name}.conf`, config),
  });
  servers.push(server);
  return { server, port };
};

const warnings: string[] = [];
const logger = createLogger('test', 'warn', { write: (line) => void warnings.push(line) });
const connected = async (settings: NatsSettings): Promise<NatsConnection> => {
  const connection = await connectNats(settings, 'test', logger, false);
  connections.push(connection);
  await connection.flush();
  return connection;
};

afterAll(async () => {
  for (const connection of connections) await connection.close();
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a NATS that is secured', () => {
  const password = 'authorization { user: weft, password: "s3cret" }';

  it('is used with a user and a password', async () => {
    const { port } = await natsWith('password', password);
    await connected({ natsUrl: `nats://127.0.0.1:${port}`, natsUser: 'weft', natsPassword: 's3cret' });
  });

  it('is used with a token', async () => {
    const { port } = await natsWith('token', 'authorization { token: "t0ken" }');
    await connected({ natsUrl: `nats://127.0.0.1:${port}`, natsToken: 't0ken' });
  });

  it('is used with credentials: a JWT and its seed', async () => {
    const { config, credentials } = makeCredentials();
    const { port } = await natsWith('credentials', config);
    await connected({ natsUrl: `nats://127.0.0.1:${port}`, natsCredsFile: file('user.creds', credentials) });
  });

  it('is used over TLS with a private authority, and a certificate of the client', async () => {
    const { port } = await natsWith('mutual', MUTUAL);
    const natsUrl = `tls://localhost:${port}`;
    const natsCaFile = certificate.authorityFile;
    await connected({ natsUrl, natsCaFile, natsCertFile: certificateFile, natsKeyFile: keyFile });
    await expect(connected({ natsUrl, natsCaFile })).rejects.toThrow();
    await expect(connected({ natsUrl, natsCertFile: certificateFile, natsKeyFile: keyFile })).rejects.toThrow(
      /certificate/,
    );
  });

  it('refuses a wrong password with a message that says what to check', async () => {
    const { port } = await natsWith('refused', password);
    const natsUrl = `nats://127.0.0.1:${port}`;
    await expect(connected({ natsUrl, natsUser: 'weft', natsPassword: 'wrong' })).rejects.toThrow('Check NATS_USER');
    await expect(connected({ natsUrl })).rejects.toThrow('NATS refused the authentication');
  });

  it('is required by tls://: a server without TLS is told nothing', async () => {
    const { port } = await natsWith('plain', password);
    await expect(
      connected({ natsUrl: `tls://localhost:${port}`, natsUser: 'weft', natsPassword: 's3cret' }),
    ).rejects.toThrow('NATS does not offer TLS');
  });

  it('is tried again until it lets the process in, and each reason is logged once', async () => {
    const next = nkeys.createUser();
    const allow = (key: KeyPair): string => `authorization { users: [ { nkey: ${key.getPublicKey()} } ] }`;
    const { server, port } = await natsWith('rotated', allow(user));
    const natsNkeyFile = file('rotated.nkey', seedOf(next));
    warnings.length = 0;
    const waiting = connectNats({ natsUrl: `nats://127.0.0.1:${port}`, natsNkeyFile }, 'test', logger);
    await until('it was refused', async () => warnings.length > 0);
    file('rotated.conf', allow(next));
    await server.startAgain();
    const connection = await waiting;
    connections.push(connection);
    expect(warnings.filter((line) => line.includes('refused the authentication'))).toHaveLength(1);

    // The next key: the server has it first, then the file; the client reconnects without a restart.
    const last = nkeys.createUser();
    file('rotated.conf', allow(last));
    await server.startAgain();
    const log = (): string => readFileSync(join(folder, 'rotated/logs/nats.log'), 'utf8');
    await until('it was refused several times', async () => (log().match(/authentication error/gi) ?? []).length > 3);
    file('rotated.nkey', `${seedOf(last)}\n`);
    await until('it is connected again', () =>
      connection.flush().then(
        () => true,
        () => false,
      ),
    );
    expect(connection.isClosed()).toBe(false);
  });
});

const PATH = 'secured-nats/hook';
const workflow: WorkflowFile = {
  name: 'over a secured queue',
  nodes: [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
    node('Start', 'manualTrigger', 1, 0),
    node('End', 'noOp', 1, 200),
  ],
  connections: connect({ Hook: [['End']], Start: [['End']] }),
  settings: { executionOrder: 'v1' },
};

describe('a whole Weft on a NATS with nkeys and TLS', () => {
  let stack: Stack | undefined;
  afterAll(() => giveStackBack(stack));

  it('runs workflows over its queue', async () => {
    const { port } = await natsWith('whole', `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }\n${TLS}`);
    const settings = {
      NATS_URL: `tls://localhost:${port}`,
      NATS_NKEY_FILE: file('whole.nkey', seedOf(user)),
      NATS_CA_FILE: certificate.authorityFile,
    };
    stack = await borrowStack({ env: { executions: settings, runner: settings } });
    const baseUrl = stack.baseUrls[0] ?? '';
    const rest = restClient(baseUrl, stack.apiKey);
    const id = textOf(await rest('POST', '/workflows', { ...workflow, active: true }), 'id');
    expect(await callWebhook(baseUrl, PATH, { n: 1 })).toMatchObject({ status: 200 });
    const executionId = textOf(await rest('POST', `/workflows/${id}/execute`), 'executionId');
    await until('the run took its way over the queue', async () => {
      const execution = await rest('GET', `/executions/${executionId}`);
      return textOf(execution, 'status') === 'success';
    });
    await rest('POST', `/workflows/${id}/deactivate`);
  });
});
