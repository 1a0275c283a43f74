import type { Json, JsonObject } from '@weft/node-catalogue';

/** Addresses of a server: the one that the app declares, and others that reach the same server. */
export interface Addresses {
  /** Such as `http://127.0.0.1:80`. */
  readonly declared: string;
  readonly port: number;
}

/** A hostile app, as a user sends it. */
export interface HostileApp {
  readonly it: string;
  readonly document: Json;
}

const template = (expression: string): string => `={{ ${expression} }}`;
const text = (value: string): string => template(JSON.stringify(value));

const base = ({ declared }: Addresses): JsonObject => ({
  weftApp: 1,
  name: 'hostile',
  label: 'Hostile',
  hosts: ['127.0.0.1'],
  credentials: { httpBearerAuth: 'catalogue' },
  calls: { api: { url: text(declared) } },
  kinds: {},
});

/** An app whose only operation has these parts. */
const appWith = (to: Addresses, operation: JsonObject, call: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  ...base(to),
  calls: { api: { url: text(to.declared), ...call } },
  kinds: {
    hostile: {
      label: 'Hostile',
      description: 'Does harm.',
      versions: [1],
      groups: ['output'],
      credentials: [{ type: 'httpBearerAuth' }],
      parameters: [{ name: 'a', label: 'A', type: 'json', help: 'Anything.' }],
      operations: { default: { call: 'api', ...operation } },
    },
  },
  ...more,
});

/** Ways to another host than the declared one. */
const otherHosts = ({ declared, port }: Addresses): readonly string[] => [
  `http://127.0.0.2:${port}`,
  `http://localhost:${port}`,
  `http://LOCALHOST:${port}`,
  `http://localhost.:${port}`,
  `http://127.0.0.1.:${port}`,
  `http://127.0.0.1.nip.invalid:${port}`,
  `${declared}@127.0.0.2:${port}`,
  `http://127.0.0.1:${port}@127.0.0.2:${port}`,
  `http://user:word@127.0.0.2:${port}`,
  `http://127.0.0.2:${port}\\@127.0.0.1:${port}`,
  `http://127.0.0.2:${port}#@127.0.0.1:${port}`,
  `http://127.0.0.2:${port}?@127.0.0.1:${port}`,
  `http://2130706434:${port}`,
  `http://0x7f000002:${port}`,
  `http://0177.0.0.2:${port}`,
  `http://127.2:${port}`,
  `http://[::ffff:127.0.0.2]:${port}`,
  `http://[::1]:${port}`,
  `http://0:${port}`,
  `http://0.0.0.0:${port}`,
  `http://①②⑦.⓪.⓪.②:${port}`,
  `//127.0.0.2:${port}`,
  `http:/127.0.0.2:${port}`,
  `http:127.0.0.2:${port}`,
  ` http://127.0.0.2:${port}`,
  `ht\ntp://127.0.0.2:${port}`,
  `https://127.0.0.2:${port}`,
  `file:///etc/passwd`,
  `ftp://127.0.0.2:${port}`,
  `data:text/plain,x`,
  `javascript:alert(1)`,
  `unix:/var/run/docker.sock`,
  `http://127.0.0.1:1`,
];

/** Paths that would change the host if they were appended to an address without a check. */
const paths = (port: number): readonly string[] => [
  `@127.0.0.2:${port}/`,
  `.127.0.0.2:${port}/`,
  `:1@127.0.0.2:${port}/`,
  `\\\\127.0.0.2:${port}/`,
  `?x=@127.0.0.2`,
  `#@127.0.0.2`,
];

/** Attempts to read the secret of the credential, or the host of the process. */
const READERS: readonly string[] = [
  '$credential.token',
  '$credential?.token',
  "$credential['token']",
  "$credential['to' + 'ken']",
  'Object.values($credential).join()',
  'JSON.stringify($credential)',
  'Object.entries($credential)',
  '({ ...$credential }).token',
  '(c => c.token)($credential)',
  '[$credential].map(c => c.token)[0]',
  '$credential.constructor.name',
  '$credential.__proto__',
  '$env.SECRET_OF_HOST',
  '$vars.secret',
  'process.env.SECRET_OF_HOST',
  'globalThis.process',
  "require('fs').readFileSync('/etc/passwd')",
  "this.constructor.constructor('return process')()",
  "[].constructor.constructor('return process')()",
  "(() => {}).constructor('return process')()",
  "$('Source 0').first().json",
  "$('Other').item.json",
  '$input.all()',
  '$workflow.id',
  '$execution.id',
  '$secrets.token',
  '$items()',
  "$fn.file('x')",
  '$fn.constructor("return process")()',
  '$steps.other.body',
];

/** Attempts to use up the memory or the time of the process. */
const EXHAUSTERS: readonly string[] = [
  "'x'.repeat(2e9)",
  "Array.from({ length: 1e9 }).join('x')",
  "new Array(1e9).fill('x')",
  "'x'.padEnd(2e9, 'y')",
  'Array.from({ length: 5000 }, (_, i) => Array.from({ length: 5000 }, (_, j) => i * j)).flat().length',
  "/^(a+)+$/.test('a'.repeat(60) + '!')",
  "'a'.repeat(50000).replace(/(a|aa)+$/, '')",
  "Array.from({ length: 30 }).reduce((text) => text + text, 'xx')",
  'JSON.stringify(Array.from({ length: 1e7 }, () => ({ a: 1 })))',
  '[1].map(function f(x) { return f(x) })',
];

const nested = (depth: number): Json => (depth === 0 ? 'x' : [nested(depth - 1)]);

/** Documents that no check may accept, and none may take long for. */
const documents = (to: Addresses): readonly HostileApp[] => {
  const plain = appWith(to, {});
  const long = 'a-'.repeat(100_000);
  const changed = (it: string, changes: JsonObject): HostileApp => ({ it, document: { ...plain, ...changes } });
  return [
    { it: 'is not an object', document: [1, 2] },
    { it: 'is null', document: null },
    { it: 'is nested deeply', document: { ...plain, more: nested(500) } },
    { it: 'has very many values', document: { ...plain, more: Array.from({ length: 150_000 }, () => 0) } },
    changed('has a very long host', { hosts: [`${long}!.example.com`] }),
    changed('has hosts with very many parts', { hosts: [`${'a.'.repeat(100_000)}!`] }),
    changed('has all hosts', { hosts: ['*'] }),
    changed('has all hosts of a suffix without a name', { hosts: ['*.'] }),
    changed('has a URL as a host', { hosts: ['https://example.com/x'] }),
    changed('has a secret as a host', {
      hosts: ['$credential.token'],
      calls: { api: { url: '={{ $credential.token }}' } },
    }),
    changed('has a very long name', { name: long }),
    changed('has an unknown version', { weftApp: 2 }),
    changed('has a kind with a very long name', { kinds: { [long]: {} } }),
    changed('has a kind that pretends to be of Weft', { kinds: { 'n8n-nodes-base.set': {} } }),
    changed('has a kind called __proto__', { kinds: JSON.parse('{"__proto__":{"label":"x"}}') }),
    changed('has a kind called constructor.constructor', { kinds: { 'constructor.constructor': 1 } }),
    changed('has unknown credentials', { credentials: { noSuchApi: 'catalogue' } }),
    changed('has inherited names as credentials', { credentials: { constructor: 'catalogue', toString: 'catalogue' } }),
    changed('has inherited names as calls', { calls: { constructor: { url: 'https://127.0.0.1' } } }),
    changed('has plain http', { calls: { api: { url: `http://127.0.0.1:${to.port}` } } }),
    { it: 'uses an inherited name as a call', document: appWith(to, { call: 'constructor' }) },
    { it: 'uses an inherited name as pages', document: appWith(to, { pages: 'toString', list: 'a' }) },
    {
      it: 'has very many alternatives of an expression',
      document: appWith(to, { body: template('a?'.repeat(20_000)) }),
    },
    { it: 'has very deep brackets', document: appWith(to, { body: template('('.repeat(100_000)) }) },
    { it: 'has very deep arrays', document: appWith(to, { body: template('['.repeat(50_000) + ']'.repeat(50_000)) }) },
    { it: 'has a very long chain of members', document: appWith(to, { body: template(`$p${'.a'.repeat(100_000)}`) }) },
    {
      it: 'has very many expressions',
      document: appWith(to, { body: Array.from({ length: 20_000 }, () => '={{ 1 }}') }),
    },
  ];
};

/** Paths at which the server answers in a hostile way. */
const SERVED: readonly string[] = [
  '/redirect-to-another-host',
  '/redirect-in-a-circle',
  '/huge',
  '/deep',
  '/not-json',
  '/compressed-bomb',
  '/retry-soon-for-ever',
  '/retry-in-a-year',
  '/reset',
];

/** At least a hundred hostile apps. */
export const hostileApps = (to: Addresses): readonly HostileApp[] => [
  ...otherHosts(to).map((url) => ({ it: `calls ${url}`, document: appWith(to, {}, { url: text(url) }) })),
  ...paths(to.port).map((path) => ({ it: `appends ${path}`, document: appWith(to, { path: text(path) }) })),
  ...READERS.flatMap((reader) => [
    { it: `sends ${reader}`, document: appWith(to, { query: { got: template(`String(${reader})`) } }) },
    { it: `returns ${reader}`, document: appWith(to, { item: template(`({ got: ${reader} })`) }) },
  ]),
  ...EXHAUSTERS.map((one) => ({ it: `computes ${one}`, document: appWith(to, { body: { got: template(one) } }) })),
  ...SERVED.map((path) => ({
    it: `requests ${path}`,
    document: appWith(to, { path }, { errors: [{ when: template('$response.status === 429'), retry: true }] }),
  })),
  {
    it: 'reads pages without an end',
    document: appWith(
      to,
      { path: '/pages', pages: 'all', list: 'list' },
      {},
      {
        pages: { all: { by: 'cursor', next: 'next', into: 'query.cursor' } },
      },
    ),
  },
  {
    it: 'reads pages of another host',
    document: appWith(
      to,
      { path: '/pages-of-another-host', pages: 'all', list: 'list' },
      {},
      {
        pages: { all: { by: 'nextUrl', next: 'next' } },
      },
    ),
  },
  {
    it: 'sends other headers than its own',
    document: appWith(to, {
      headers: { Host: '127.0.0.2', 'Transfer-Encoding': 'chunked', 'Content-Length': '1', Connection: 'upgrade' },
    }),
  },
  {
    it: 'splits its headers',
    document: appWith(to, { headers: { 'X-A': text('a\r\nHost: 127.0.0.2\r\n\r\nGET / HTTP/1.1') } }),
  },
  {
    it: 'has the echoed secret as its message',
    document: appWith(
      to,
      { path: '/echo' },
      { failed: template('true'), errors: [{ message: template("'Got ' + JSON.stringify($response)") }] },
    ),
  },
  {
    it: 'returns the echoed secret in pieces',
    document: appWith(to, { path: '/echo', item: template("({ got: $response.body.authorization.split(' ') })") }),
  },
  ...documents(to),
];
