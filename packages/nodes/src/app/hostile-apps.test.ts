import { checkAppDocument } from '@weft/app-model/document';
import type { AppDocument } from '@weft/app-model';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { hostileApps } from './testing/hostile-apps';
import { runAppKind } from './testing/run-app';

const SECRET = 'sk-of-a-hostile-peer';
/** Milliseconds of CPU within which a check, or a run next to a healthy app, must end. */
const SOON_MS = 10_000;

const cpuMs = (): number => process.cpuUsage().user / 1_000;

const healthy = (url: string): AppDocument => ({
  weftApp: 1,
  name: 'healthy',
  label: 'Healthy',
  hosts: ['127.0.0.1'],
  credentials: { httpBearerAuth: 'catalogue' },
  calls: { api: { url } },
  kinds: {
    healthy: {
      label: 'Healthy',
      description: 'Reads orders.',
      versions: [1],
      groups: ['input'],
      credentials: [{ type: 'httpBearerAuth' }],
      parameters: [],
      operations: { default: { call: 'api', path: '/healthy', item: '={{ ({ order: $response.body.order }) }}' } },
    },
  },
});

interface Seen {
  readonly address: string | undefined;
  readonly url: string;
}

const answer = (request: IncomingMessage, response: ServerResponse, port: number): void => {
  const json = (value: unknown, status = 200, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
  const [path = ''] = (request.url ?? '').split('?');
  switch (path) {
    case '/healthy':
      return json({ order: 7 });
    case '/redirect-to-another-host':
      return json({}, 302, { location: `http://127.0.0.2:${port}/stolen` });
    case '/redirect-in-a-circle':
      return json({}, 302, { location: request.url });
    case '/huge':
      return void response.end(`["${'x'.repeat(40_000_000)}"]`);
    case '/deep':
      return void response.end(`${'['.repeat(500_000)}${']'.repeat(500_000)}`);
    case '/not-json':
      return void response.end('<html>');
    case '/compressed-bomb':
      response.setHeader('content-encoding', 'gzip');
      return void response.end(gzipSync(Buffer.alloc(60_000_000, 32)));
    case '/retry-soon-for-ever':
      return json({}, 429, { 'retry-after': '0' });
    case '/retry-in-a-year':
      return json({}, 429, { 'retry-after': '31536000' });
    case '/reset':
      return void request.socket.destroy();
    case '/pages':
      return json({ list: [1], next: 'again' });
    case '/pages-of-another-host':
      return json({ list: [1], next: `http://127.0.0.2:${port}/stolen` });
    default:
      return json({ authorization: request.headers.authorization });
  }
};

describe('a hostile app next to a healthy one', () => {
  let server: Server;
  let client: OutboundClient;
  let port = 0;
  const seen: Seen[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ address: request.socket.localAddress, url: request.url ?? '' });
      request.resume();
      answer(request, response, port);
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    client = createOutboundClient({ allow: ['127.0.0.1', '127.0.0.2', 'localhost', '0.0.0.0', '::1'] });
  });
  afterAll(async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('reaches no other host, learns no secret, and delays nothing', async () => {
    const declared = `http://127.0.0.1:${port}`;
    const apps = hostileApps({ declared, port });
    expect(apps.length).toBeGreaterThanOrEqual(100);
    const outcomes = { refused: 0, failed: 0, ran: 0 };
    for (const { it: name, document } of apps) {
      seen.length = 0;
      const began = cpuMs();
      const checked = checkAppDocument(document);
      if (checked.kind === 'problems') {
        expect([name, checked.problems.length > 0]).toEqual([name, true]);
        outcomes.refused += 1;
      } else {
        const run = (app: AppDocument) => runAppKind({ app, http: client, credential: { token: SECRET } });
        const [hostile, good] = await Promise.all([run(checked.app), run(healthy(declared))]);
        expect([name, good.items.map(({ json }) => json)]).toEqual([name, [{ order: 7 }]]);
        expect([name, JSON.stringify(hostile).includes(SECRET)]).toEqual([name, false]);
        outcomes[hostile.error === undefined ? 'ran' : 'failed'] += 1;
      }
      const took = Math.round(cpuMs() - began);
      expect([name, took < SOON_MS || took]).toEqual([name, true]);
      const elsewhere = seen.filter(({ address, url }) => address !== '127.0.0.1' || url.includes(SECRET));
      expect([name, elsewhere]).toEqual([name, []]);
    }
    expect(outcomes.refused + outcomes.failed + outcomes.ran).toBe(apps.length);
    expect(outcomes.refused).toBeGreaterThan(40);
    expect(outcomes.failed).toBeGreaterThan(40);
  }, 240_000);
});
