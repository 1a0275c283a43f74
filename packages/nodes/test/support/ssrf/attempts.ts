import { LOGINS } from '../../../src/credential-tests/logins';
import { testCredential, type TestPorts } from '../../../src/credential-tests/test-credential';
import { knownKind } from '../../../src/testing/known-kind';
import { openCode } from '../../../src/testing/open-code';
import { type KindRun, runKind } from '../../../src/testing/cases/run-kind';
import { SERVER_RUNS } from '../../../src/testing/servers/server-runs';
import { createMailCheck, type OutboundClient } from '@weft/outbound';
import type { JsonObject } from '@weft/node-catalogue';
import { impatientPorts, type Patience } from '../impatient-ports';
import { FORBIDDEN, publicAddress, publicIpv6Address, SPELLINGS, URLS } from './addresses';
import { RAW_PORT } from './counting-world';
import { NAMES, REDIRECT_STATUSES, REDIRECTS, SHIFTING } from './names';

/** One attempt to reach a host. It may fail in any way: only its connections count. */
export interface Attempt {
  readonly name: string;
  readonly run: (client: OutboundClient, patience: Patience) => Promise<unknown>;
}

const HTTP_PORT = 80;

/** In URLs, IPv6 addresses stand in brackets. */
const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

const get = (url: string, method = 'GET'): Attempt => ({
  name: `${method} ${url}`,
  run: (client, { stepMs }) =>
    client.request({
      method,
      url,
      timeoutMs: stepMs,
      followRedirects: true,
      maxRedirects: 5,
      allowUnauthorizedCerts: true,
    }),
});
const socket = (host: string): Attempt => ({
  name: `socket ${host}`,
  run: async (client, { stepMs }) => (await client.openSocket(host, RAW_PORT, AbortSignal.timeout(stepMs))).destroy(),
});
const everyWay = (host: string): readonly Attempt[] => [
  get(`http://${inUrl(host)}/`),
  get(`https://${inUrl(host)}/`),
  socket(host),
];
const node = (kind: string, version: number | undefined, run: KindRun, name: string): Attempt => ({
  name,
  run: (client, patience) =>
    runKind(kind, { ...impatientPorts(client, patience).ports, ...run, ...(version === undefined ? {} : { version }) }),
});

/** Every kind that talks to a server, in its newest version or in all of them. */
export const kindsAt = (host: string, port = RAW_PORT, ofAllVersions = false): readonly Attempt[] =>
  SERVER_RUNS.flatMap(({ kind, name, run }) =>
    (ofAllVersions ? knownKind(kind).versions : knownKind(kind).versions.slice(-1)).map((version) =>
      node(kind, version, run(port, host), `${name} ${version} at ${host}`),
    ),
  );

/** Nodes that read a URL from a response, or send a credential's request before their own. */
export const indirectTo = (url: string): readonly Attempt[] => {
  const start = `http://public.example/?next=${encodeURIComponent(url)}`;
  const pagination = {
    ...{ paginationMode: 'responseContainsNextURL', nextURL: '={{ $response.body.next }}' },
    ...{ limitPagesFetched: true, maxRequests: 2 },
  };
  const oauth = { authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' };
  const token = {
    grantType: 'clientCredentials',
    accessTokenUrl: url,
    clientId: url,
    clientSecret: String(Math.random()),
  };
  return [
    node(
      'httpRequest',
      4.2,
      { parameters: { url: start, options: { pagination: { pagination } } } },
      `pages to ${url}`,
    ),
    node(
      'httpRequest',
      4.2,
      {
        parameters: { url: 'http://public.example/', ...oauth },
        node: { credentials: { oAuth2Api: { id: 'c1', name: 'Login' } } },
        credential: token,
      },
      `token from ${url}`,
    ),
  ];
};

const portsOf = (client: OutboundClient, patience: Patience): TestPorts => {
  const { http, databases, remote } = impatientPorts(client, patience).ports;
  return { http, databases, remote, checkMail: createMailCheck(client.openSocket) };
};

/** Tests of credentials with a server, except those with an SSH key, whose client the password types use as well. */
export const credentialTestsAt = (host: string): readonly Attempt[] => {
  const url = `http://${inUrl(host)}:${RAW_PORT}`;
  const login = { host, port: RAW_PORT, user: 'u', username: 'u', password: 'p', database: 'd', secure: false };
  const bucket = { endpoint: url, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 's', forcePathStyle: true };
  const tested: Readonly<Record<string, JsonObject>> = {
    ...Object.fromEntries([...LOGINS.keys()].filter((type) => type !== 'sshPrivateKey').map((type) => [type, login])),
    redis: { ...login, database: 0 },
    s3: bucket,
    aws: { ...bucket, customEndpoints: true, s3Endpoint: url },
    n8nApi: { apiKey: 'k', baseUrl: url },
    supabaseApi: { host: url, serviceRole: 'k' },
    httpHeaderAuth: { name: 'x-key', value: 'v' },
    httpDigestAuth: { user: 'u', password: 'p' },
    oAuth2Api: { grantType: 'clientCredentials', accessTokenUrl: url, clientId: url, clientSecret: 's' },
  };
  return Object.entries(tested).map(([type, data]) => ({
    name: `test of ${type} at ${host}`,
    run: (client, patience) =>
      testCredential(
        portsOf(client, patience),
        { type, data, url },
        AbortSignal.timeout(patience.stepMs),
        patience.stepMs,
      ),
  }));
};

/** MongoDB strings with several servers, or with a DNS record that lists them. */
const mongoAt = (connectionString: string): Attempt =>
  node(
    'mongoDb',
    undefined,
    {
      node: { credentials: { mongoDb: { id: 'c1', name: 'Login' } } },
      credential: { configurationType: 'connectionString', connectionString, database: 'd' },
      parameters: { operation: 'find', collection: 'c', query: '{}' },
    },
    connectionString,
  );

/** Hosts with which every kind of node is tried. */
const HOSTS = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '::1', '[::ffff:127.0.0.1]', '169.254.169.254'],
  ...['loopback.attacker.example', 'mixed.attacker.example'],
];
const redirectHosts = REDIRECT_STATUSES.flatMap((status) =>
  Object.keys(REDIRECTS).map((key) => `${status}-${key}.redirect.example`),
);

/** Attempts on a forbidden address, whatever the guard can know. */
export const CORPUS: Readonly<Record<string, readonly Attempt[]>> = {
  addresses: Object.values(FORBIDDEN).flat().flatMap(everyWay),
  spellings: [...SPELLINGS.flatMap((host) => [get(`http://${host}/`), socket(host)]), ...URLS.map((url) => get(url))],
  names: NAMES.flatMap(everyWay),
  redirects: [
    ...redirectHosts.map((host) => get(`http://${host}/`)),
    ...REDIRECT_STATUSES.map((status) => get(`http://${status}-loopback.redirect.example/`, 'POST')),
    ...kindsAt('302-loopback.redirect.example', HTTP_PORT, true),
    ...indirectTo('http://307-loopback.redirect.example/'),
  ],
  'pages and tokens': HOSTS.flatMap((host) => indirectTo(`http://${inUrl(host)}/`)),
  nodes: [
    ...HOSTS.slice(1).flatMap((host) => kindsAt(host)),
    ...kindsAt('127.0.0.1', RAW_PORT, true),
    ...['public.example:9000,127.0.0.1:9000', '127.1:9000,[::1]:9000', '127.0.0.1:9000'].map((servers) =>
      mongoAt(`mongodb://u:p@${servers}/d`),
    ),
    mongoAt('mongodb+srv://u:p@srv.attacker.example/d?tls=false'),
  ],
  'credential tests': HOSTS.flatMap(credentialTestsAt),
};

/** The attempts that a list for a host contains, each on a separate host. */
function eachOnItsOwn<One>(
  listFor: (host: string) => readonly One[],
  hostOf: (index: number) => string,
): readonly One[] {
  return listFor('').flatMap((_, index) => listFor(hostOf(index)).slice(index, index + 1));
}

let uses = 0;

/** Names that resolve to other addresses later. Each call has separate names. */
export const shifting = (): readonly Attempt[] =>
  SHIFTING.flatMap((pattern) =>
    eachOnItsOwn(everyWay, () => {
      uses += 1;
      return pattern.replace('*', `u${uses}`);
    }),
  ).map((attempt) => ({ ...attempt, run: (client, patience) => twice(attempt, client, patience) }));

/** A second connection looks the name up again. */
const twice = async (attempt: Attempt, client: OutboundClient, patience: Patience): Promise<void> => {
  await attempt.run(client, patience).catch(() => undefined);
  await attempt.run(client, patience);
};

const CODE = [
  "return await this.helpers.httpRequest({ url: 'http://127.0.0.1/' })",
  "return await fetch('http://127.0.0.1/')",
  "return require('http').get('http://127.0.0.1/')",
  "return await import('node:net').then((net) => net.connect(9000, '127.0.0.1'))",
  "return process.getBuiltinModule('net').connect(9000, '127.0.0.1')",
  'return new (Object.getPrototypeOf(async () => 1).constructor)(\'return import("node:net")\')()',
];

/** Code that tries to reach this machine, and a function that ends its sandbox. */
export async function openCodeAttempts(): Promise<{ readonly attempts: readonly Attempt[]; close(): Promise<void> }> {
  const code = openCode();
  const attempts = CODE.map((jsCode) => ({
    name: jsCode,
    run: () => runKind('code', { code, version: 2, parameters: { jsCode } }),
  }));
  return { attempts, close: code.close };
}

/** An attempt on a public address that no other attempt uses. */
export interface AllowedAttempt extends Attempt {
  readonly address: string;
}

let addresses = 0;
function allowedBy(
  listFor: (host: string) => readonly Attempt[],
  hostOf: (number: number) => string,
  addressOf = publicAddress,
): readonly AllowedAttempt[] {
  const addressed = (host: string): readonly AllowedAttempt[] =>
    listFor(host).map((attempt) => ({ ...attempt, address: addressOf(addresses) }));
  return eachOnItsOwn(addressed, () => {
    addresses += 1;
    return hostOf(addresses);
  });
}

const inDns = (number: number): string => `four${number}.public.example`;

/** The same attempts on public addresses. Each call has separate addresses. */
export const allowed = (): readonly AllowedAttempt[] => [
  ...allowedBy(everyWay, publicAddress),
  ...allowedBy(everyWay, publicIpv6Address, publicIpv6Address),
  ...allowedBy(everyWay, inDns),
  ...allowedBy(everyWay, (number) => `six${number}.public.example`, publicIpv6Address),
  ...allowedBy(everyWay, (number) => `FOUR${number}.Public.example.`),
  ...allowedBy((host) => kindsAt(host, RAW_PORT, true), inDns),
  ...allowedBy(kindsAt, publicAddress),
  ...allowedBy(credentialTestsAt, inDns),
  ...allowedBy((host) => indirectTo(`http://${host}/`), inDns),
];
