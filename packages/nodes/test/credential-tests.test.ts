import type { JsonObject } from '@weft/node-catalogue';
import { CREDENTIAL_TYPES } from '@weft/node-catalogue';
import { createDatabases, createMailCheck, createOutboundClient, createRemoteServers } from '@weft/outbound';
import { closeAfterEach } from '@weft/service-kit/testing';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { LOGINS } from '../src/credential-tests/logins';
import { testCredential, type TestPorts, type TestResult } from '../src/credential-tests/test-credential';
import { describeWithServer, type RemoteServer } from './support/remote-server';

const later = closeAfterEach();
const never = new AbortController().signal;

const localPorts = (): TestPorts => {
  const client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  later(client, (open) => open.close());
  return {
    http: client,
    checkMail: createMailCheck(client.openSocket),
    databases: createDatabases(client.openSocket),
    remote: createRemoteServers(client.openSocket),
  };
};

const run = (type: string, data: JsonObject, url = '', ms?: number): Promise<TestResult> =>
  testCredential(localPorts(), { type, data, url }, never, ms);

const listening = async <Listening extends Server>(server: Listening): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  later(server, (open) => open.close());
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const web = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(listener))}`;

/** Tests with the right, a wrong and an unreachable login on a real server. */
const promises = (type: string, credentialOf: (server: RemoteServer) => JsonObject, wrong: JsonObject) =>
  function tests(server: RemoteServer): void {
    it('accepts the right login', async () => {
      expect(await run(type, credentialOf(server))).toMatchObject({ outcome: 'accepted' });
    });
    it('reports a rejected login, and does not repeat it', async () => {
      const { outcome, message } = await run(type, { ...credentialOf(server), ...wrong });
      expect(outcome).toBe('refused');
      for (const value of Object.values(wrong)) expect(message).not.toContain(value);
    });
    it('reports that nothing listens there', async () => {
      const { outcome, message } = await run(type, {
        ...credentialOf(server),
        port: 1,
        endpoint: 'http://127.0.0.1:1',
      });
      expect([outcome, message]).toEqual(['refused', expect.stringContaining('127.0.0.1')]);
    });
  };

const WRONG = { password: 'wr0ng-pass-word' };
const byUser = ({ host, port, user, password }: RemoteServer): JsonObject => ({ host, port, user, password });
const byUsername = ({ host, port, user, password }: RemoteServer): JsonObject => ({
  host,
  port,
  username: user,
  password,
});
const inDatabase = (server: RemoteServer, database: string): JsonObject => ({ ...byUser(server), database });

describeWithServer(
  'TEST_POSTGRES_URL',
  'a test of postgres',
  promises('postgres', (server) => inDatabase(server, 'postgres'), WRONG),
);
describeWithServer(
  'TEST_MYSQL_URL',
  'a test of mySql',
  promises('mySql', (server) => inDatabase(server, 'weft'), WRONG),
);
describeWithServer(
  'TEST_REDIS_URL',
  'a test of redis',
  promises('redis', ({ host, port, password }) => ({ host, port, password }), WRONG),
);
describeWithServer(
  'TEST_MONGODB_URL',
  'a test of mongoDb',
  promises('mongoDb', (server) => ({ ...inDatabase(server, 'weft'), configurationType: 'values' }), WRONG),
);
describeWithServer(
  'TEST_IMAP_URL',
  'a test of imap',
  promises('imap', (server) => ({ ...byUser(server), secure: false, allowUnauthorizedCerts: true }), WRONG),
);
describeWithServer('TEST_SSH_URL', 'a test of sshPassword', promises('sshPassword', byUsername, WRONG));
describeWithServer('TEST_SSH_URL', 'a test of sftp', promises('sftp', byUsername, WRONG));
describeWithServer('TEST_FTP_URL', 'a test of ftp', promises('ftp', byUsername, WRONG));
describeWithServer(
  'TEST_S3_URL',
  'a test of s3',
  promises(
    's3',
    ({ host, port, user, password }) => ({
      endpoint: `http://${host}:${port}`,
      accessKeyId: user,
      secretAccessKey: password,
      forcePathStyle: true,
    }),
    { secretAccessKey: 'wr0ng-pass-word' },
  ),
);

describe('a test by a request', () => {
  it('sends the additions of the credential, and accepts only 2xx', async () => {
    const url = await web((request, response) =>
      response.writeHead(request.headers.authorization === 'Bearer right-token' ? 204 : 403).end(),
    );
    expect(await run('httpBearerAuth', { token: 'right-token' }, url)).toEqual({
      outcome: 'accepted',
      message: 'The service answered 204.',
    });
    expect(await run('httpBearerAuth', { token: 'wrong-token' }, url)).toMatchObject({ outcome: 'refused' });
  });

  it('does not follow a redirect, since a login page responds to everyone', async () => {
    const url = await web((request, response) =>
      request.url === '/login' ? response.end('welcome') : response.writeHead(302, { location: '/login' }).end(),
    );
    expect(await run('httpBearerAuth', { token: 'any-token' }, `${url}/me`)).toEqual({
      outcome: 'refused',
      message: 'The service answered 302.',
    });
  });

  it('respects the hosts that the credential is limited to', async () => {
    let asked = 0;
    const url = await web((_, response) => {
      asked += 1;
      response.end();
    });
    const limit = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
    expect(await run('httpBearerAuth', { token: 'any-token', ...limit }, url)).toMatchObject({ outcome: 'refused' });
    expect(asked).toBe(0);
  });

  it('reveals neither the response nor a secret that the service echoes in its status', async () => {
    const url = await web((request, response) => {
      response.statusMessage = String(request.headers['x-key']);
      response.writeHead(400).end(request.headers['x-key']);
    });
    const { message } = await run('httpHeaderAuth', { name: 'x-key', value: 'echoed-s3cret' }, url);
    expect(message).toBe('The service answered 400.');
  });

  it('finds the URL in the credential if its type declares that, and is untestable without one', async () => {
    const seen: (string | undefined)[] = [];
    const url = await web((request, response) => {
      seen.push(request.url);
      response.end();
    });
    expect(await run('n8nApi', { apiKey: 'the-key-4711', baseUrl: `${url}/api/v1/` })).toMatchObject({
      outcome: 'accepted',
    });
    expect(seen).toEqual(['/api/v1/workflows?limit=1']);
    expect(await run('n8nApi', { apiKey: 'the-key-4711' })).toMatchObject({ outcome: 'untestable' });
  });
});

describe('any test', () => {
  it('times out at a server that accepts connections and stays silent', async () => {
    const port = await listening(createTcpServer((socket) => void socket.on('error', () => undefined).resume()));
    for (const type of LOGINS.keys()) {
      const data = { host: '127.0.0.1', port, user: 'u', username: 'u', password: 'p', configurationType: 'values' };
      expect([type, await run(type, data, '', 200)]).toEqual([
        type,
        { outcome: 'refused', message: 'There was no answer within 0.2 s.' },
      ]);
    }
  });

  it('is known to this process for every type that declares a login', () => {
    const declared = [...CREDENTIAL_TYPES.values()].filter(({ test }) => test?.kind === 'login');
    expect([...LOGINS.keys()].sort()).toEqual(declared.map(({ name }) => name).sort());
  });

  it('uses an https URL on a host of the service', () => {
    for (const { name, test, hosts, fields } of CREDENTIAL_TYPES.values()) {
      if (test?.kind !== 'request' || test.url.startsWith('{')) continue;
      // A field of the credential may offer several hosts.
      const [, field] = /^https:\/\/\{(\w+)\}/.exec(test.url) ?? [];
      const chosen = fields.find((one) => one.name === field);
      const urls = (chosen?.options ?? ['']).map((option) => test.url.replace(`{${field}}`, option));
      for (const { protocol, hostname } of urls.map((url) => new URL(url))) {
        const isItsOwn = hosts.some((host) =>
          host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
        );
        expect([name, protocol, isItsOwn]).toEqual([name, 'https:', true]);
      }
    }
  });
});
