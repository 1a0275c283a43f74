import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const VERSION = '9.8.7';

/**
 * Behaves like n8n: it is ready a moment after it listens, gives its owner a key, refuses unknown fields of a workflow,
 * accepts calls of a webhook a moment after its activation, and shows an execution as new, as running and as ended. A
 * call of the webhook `end` ends it.
 */
const PROGRAM = `
const { randomUUID } = require('node:crypto');
const began = Date.now();
const paths = new Map();
const active = new Set();
const unfinished = ['new', 'running', 'new'];
const routes = {
  'GET /healthz/readiness': () => (Date.now() - began > 50 ? [200, {}] : [503, {}]),
  'POST /rest/owner/setup': (_, { password }) => (password.length > 8 ? [200, { data: {} }] : [400, {}]),
  'GET /rest/api-keys/scopes': ({ cookie }) => (cookie === 'n8n-auth=owner' ? [200, { data: ['all'] }] : [401, {}]),
  'POST /rest/api-keys': ({ cookie }, { scopes }) =>
    cookie === 'n8n-auth=owner' && scopes[0] === 'all' ? [200, { data: { rawApiKey: 'key' } }] : [401, {}],
  'POST /api/v1/workflows': (_, { name, nodes, connections, settings, ...more }) => {
    if (Object.keys(more).length > 0) return [400, { message: 'must NOT have additional properties' }];
    const id = randomUUID();
    paths.set(id, nodes[0].parameters.path);
    return [200, { id }];
  },
};
const activate = (url) => {
  const path = paths.get(url.split('/')[4]);
  setTimeout(() => active.add(path), 100);
  return [200, {}];
};
const list = (url) => {
  const status = new URLSearchParams(url.split('?')[1]).get('status');
  const isShown = unfinished[0] === status;
  if (isShown) unfinished.shift();
  return [200, { data: isShown ? [{}] : [], nextCursor: null }];
};
const answer = ({ method, url, headers }, body) => {
  if (url.startsWith('/api/v1') && headers['x-n8n-api-key'] !== 'key') return [401, {}];
  if (url.endsWith('/activate')) return activate(url);
  if (url.startsWith('/api/v1/executions?')) return list(url);
  if (url === '/webhook/end') process.exit(3);
  const known = url.startsWith('/webhook/') && active.has(url.slice('/webhook/'.length));
  if (known && method === 'OPTIONS') return [204, {}, { 'access-control-allow-methods': 'OPTIONS, POST' }];
  if (known) return [200, {}];
  return routes[method + ' ' + url]?.(headers, body) ?? [404, {}];
};
require('node:http').createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const [status, body, headers] = answer(request, text === '' ? {} : JSON.parse(text));
  if (request.url.startsWith('/rest/owner')) response.setHeader('set-cookie', 'n8n-auth=owner; Path=/; HttpOnly');
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}).listen(Number(process.env.N8N_PORT), process.env.N8N_LISTEN_ADDRESS);
`;

/** Writes such a program where npm installs n8n, into a new folder, which the caller removes. */
export const standInN8n = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-n8n-'));
  const files = { 'package.json': JSON.stringify({ version: VERSION }), 'bin/n8n': PROGRAM };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'node_modules/n8n', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
};
