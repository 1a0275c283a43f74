import { closeAfterEach } from '@weft/service-kit/testing';
import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { OutboundError, OutboundRefused, type OutboundRequest } from './outbound-http';
import { createOutboundClient, type OutboundClient } from './outbound-client';
import type { Resolver } from '../guard/guarded-lookup';
import { bodyOf, type LocalServer, serveHttp, serveHttps } from '../testing/local-server';

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  timeoutMs: 5_000,
  followRedirects: true,
  ...more,
});

const failureOf = async (promise: Promise<unknown>): Promise<OutboundError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
  throw new Error('The request was expected to fail.');
};

const ruleOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await failureOf(promise);
  return error instanceof OutboundRefused ? error.rule : error.code;
};

const resolvesTo =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('the outbound client', () => {
  const later = closeAfterEach();
  const seen: { request: IncomingMessage; body: string }[] = [];
  let server: LocalServer;
  let client: OutboundClient;
  const clients: OutboundClient[] = [];
  const clientWith = (allow: string[], resolve?: Resolver): OutboundClient => {
    const made = createOutboundClient({ allow, ...(resolve === undefined ? {} : { resolve }) });
    clients.push(made);
    return made;
  };

  beforeAll(async () => {
    server = await serveHttp((request, response) => {
      void bodyOf(request).then((body) => {
        seen.push({ request, body });
        const to = new URL(request.url ?? '/', 'http://x').searchParams;
        const location = to.get('to');
        response.setHeader('x-answer', 'yes');
        if (location !== null) response.writeHead(Number(to.get('status') ?? 302), { location });
        response.end('hello');
      });
    });
    client = clientWith([`127.0.0.1:${server.port}`]);
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterAll(async () => {
    clients.forEach((made) => made.close());
    await server.close();
  });

  const lastSeen = (): { request: IncomingMessage; body: string } => {
    const last = seen.at(-1);
    if (last === undefined) throw new Error('The server has seen no request.');
    return last;
  };

  it('returns status, headers, body and the URL that answered', async () => {
    const response = await client.request(get(`${server.url}/a?b=c`));
    expect(response).toMatchObject({ status: 200, statusText: 'OK', url: `${server.url}/a?b=c` });
    expect(response.headers['x-answer']).toBe('yes');
    expect(Buffer.from(response.body).toString()).toBe('hello');
  });

  it('sends headers, bytes and streams unchanged', async () => {
    await client.request(
      get(`${server.url}/`, {
        method: 'POST',
        body: Buffer.from('abc'),
        headers: [
          ['X-One', '1'],
          ['x-two', '2'],
        ],
      }),
    );
    expect(lastSeen().body).toBe('abc');
    expect(lastSeen().request.headers).toMatchObject({
      'x-one': '1',
      'x-two': '2',
      'content-length': '3',
      'user-agent': 'weft',
    });
    const open = async function* (): AsyncIterable<Uint8Array> {
      yield Buffer.from('str');
      yield Buffer.from('eam');
    };
    await client.request(get(`${server.url}/`, { method: 'PUT', body: { open } }));
    expect(lastSeen()).toMatchObject({ body: 'stream', request: { method: 'PUT' } });
    await client.request(get(`${server.url}/`, { method: 'PUT', body: { open, length: 6 } }));
    expect(lastSeen().request.headers['content-length']).toBe('6');
  });

  it('sends the idempotency key unless the request sets one', async () => {
    await client.request(get(`${server.url}/`, { idempotencyKey: 'ours' }));
    expect(lastSeen().request.headers['idempotency-key']).toBe('ours');
    await client.request(get(`${server.url}/`, { idempotencyKey: 'ours', headers: [['Idempotency-Key', 'theirs']] }));
    expect(lastSeen().request.headers['idempotency-key']).toBe('theirs');
  });

  it('reuses a connection', async () => {
    const before = server.connections();
    const fresh = clientWith([`127.0.0.1:${server.port}`]);
    for (let n = 0; n < 5; n += 1) await fresh.request(get(`${server.url}/`));
    expect(server.connections() - before).toBe(1);
  });

  it('does not read proxy variables', async () => {
    const saved = { ...process.env };
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      expect((await client.request(get(`${server.url}/`))).status).toBe(200);
    } finally {
      process.env = saved;
    }
  });

  describe('refuses, without a connection,', () => {
    it.each([
      ['http://127.0.0.1', 'loopback-address'],
      ['http://2130706433', 'loopback-address'],
      ['http://0x7f.1', 'loopback-address'],
      ['http://0177.0.0.1', 'loopback-address'],
      ['http://127.1', 'loopback-address'],
      ['http://１２７.0.0.1', 'loopback-address'],
      ['http://127.0.0.1.', 'loopback-address'],
      ['http://[::1]', 'loopback-address'],
      ['http://[::ffff:127.0.0.1]', 'loopback-address'],
      ['http://[::ffff:7f00:1]', 'loopback-address'],
      ['http://[::127.0.0.1]', 'translated-address'],
      ['http://[64:ff9b::7f00:1]', 'translated-address'],
      ['http://169.254.169.254', 'link-local-address'],
      ['http://[fe80::1%25eth0]', 'url'],
      ['http://0', 'reserved-address'],
    ])('%s by %s', async (url, rule) => {
      const strict = clientWith([], () => Promise.reject(new Error('A literal address is never looked up.')));
      expect(await ruleOf(strict.request(get(`${url}:${server.port}/`.replace('0.1.:', '0.1:'))))).toBe(rule);
      expect(seen).toHaveLength(0);
    });

    it.each([
      ['file:///etc/passwd', 'scheme'],
      ['gopher://x/', 'scheme'],
      ['ftp://x/', 'scheme'],
      ['data:text/plain,x', 'scheme'],
      ['http://user:secret@example.com/', 'url-credentials'],
      ['nonsense', 'url'],
    ])('%s by %s', async (url, rule) => {
      expect(await ruleOf(client.request(get(url)))).toBe(rule);
    });

    it('a name with one refused address among public ones, and does not say which address', async () => {
      const error = await failureOf(
        clientWith([], resolvesTo('93.184.216.34', '10.9.8.7')).request(get('http://mixed.example/')),
      );
      expect(error).toMatchObject({ code: 'REFUSED', rule: 'private-address' });
      expect(error.message).toContain('mixed.example');
      expect(error.message).not.toContain('10.9');
    });

    it.each(['::1', '::ffff:127.0.0.1', '::127.0.0.1', 'fe80::1%eth0'])(
      'a name that resolves to %s',
      async (address) => {
        expect(
          await ruleOf(clientWith([], resolvesTo(address)).request(get(`http://name.example:${server.port}/`))),
        ).toMatch(/-address$/);
      },
    );

    it('hosts that the credential is not for, on every hop', async () => {
      const loose = clientWith(['*.example', `127.0.0.1:${server.port}`], resolvesTo('127.0.0.1'));
      const url = `http://a.good.example:${server.port}/`;
      expect((await loose.request(get(url, { allowedHosts: ['*.good.example'] }))).status).toBe(200);
      expect(
        await ruleOf(
          loose.request(
            get(`http://evilgood.example:${server.port}/`, { allowedHosts: ['*.good.example', 'good.example'] }),
          ),
        ),
      ).toBe('credential-host');
      const elsewhere = encodeURIComponent(`http://b.example:${server.port}/`);
      expect(await ruleOf(loose.request(get(`${url}?to=${elsewhere}`, { allowedHosts: ['*.good.example'] })))).toBe(
        'credential-host',
      );
    });
  });

  it('connects to the address that was checked, and checks again for the next connection', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    let asked = 0;
    const rebinding = clientWith(['127.0.0.1/32'], async () => [
      { address: answers[asked++] ?? '127.0.0.2', family: 4 },
    ]);
    const url = `http://rebinding.example:${server.port}/`;
    expect((await rebinding.request(get(url, { method: 'POST', body: Buffer.from('x') }))).status).toBe(200);
    expect(asked).toBe(1);
    // Two at once need a second connection, which is looked up again.
    const [first, second] = await Promise.allSettled([rebinding.request(get(url)), rebinding.request(get(url))]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(asked).toBe(2);
  });

  it('allows what the operator permits, by name, by suffix and by block', async () => {
    for (const allow of ['api.internal', '*.internal', '127.0.0.0/8', `api.internal:${server.port}`]) {
      const response = await clientWith([allow], resolvesTo('127.0.0.1')).request(
        get(`http://api.internal:${server.port}/`),
      );
      expect(response.status).toBe(200);
    }
  });

  describe('redirects', () => {
    const to = (path: string, status = 302): string => `${server.url}/?status=${status}&to=${encodeURIComponent(path)}`;

    it('are followed and named by the last URL', async () => {
      expect((await client.request(get(to('/end')))).url).toBe(`${server.url}/end`);
    });

    it('are returned unchanged if they are not to be followed', async () => {
      const response = await client.request(get(to('/end'), { followRedirects: false }));
      expect(response).toMatchObject({ status: 302, headers: { location: '/end' } });
    });

    it('end after the requested number, five by default', async () => {
      const chain = (length: number): string =>
        Array.from({ length }).reduce<string>((inner) => to(inner), `${server.url}/end`);
      expect((await client.request(get(chain(5)))).status).toBe(200);
      expect((await failureOf(client.request(get(chain(6))))).code).toBe('TOO_MANY_REDIRECTS');
      expect((await client.request(get(chain(6), { maxRedirects: 6 }))).status).toBe(200);
    });

    it('to a private address, another scheme or a URL with a password are refused', async () => {
      expect(await ruleOf(client.request(get(to('http://127.0.0.1:1/'))))).toBe('loopback-address');
      expect(await ruleOf(client.request(get(to('http://[::ffff:169.254.169.254]/'))))).toBe('link-local-address');
      expect(await ruleOf(client.request(get(to('file:///etc/passwd'))))).toBe('scheme');
      expect(await ruleOf(client.request(get(to(`http://u:p@127.0.0.1:${server.port}/`))))).toBe('url-credentials');
    });

    it.each([
      [301, 'POST', 'GET', ''],
      [302, 'POST', 'GET', ''],
      [303, 'PUT', 'GET', ''],
      [303, 'HEAD', 'HEAD', ''],
      [302, 'PUT', 'PUT', 'body'],
      [307, 'POST', 'POST', 'body'],
      [308, 'DELETE', 'DELETE', 'body'],
    ])('with %d turn %s into %s', async (status, method, then, body) => {
      const content = method === 'HEAD' ? {} : { body: Buffer.from('body') };
      await client.request(get(to('/end', status), { method, headers: [['content-type', 'text/plain']], ...content }));
      expect(lastSeen()).toMatchObject({ body, request: { method: then, url: '/end' } });
      expect(lastSeen().request.headers['content-type']).toBe(then === 'GET' ? undefined : 'text/plain');
    });

    it('send secrets within an origin and drop them for good when it changes', async () => {
      const named = clientWith(['*.example'], resolvesTo('127.0.0.1'));
      const a = `http://a.example:${server.port}`;
      const b = `http://b.example:${server.port}`;
      const headers: [string, string][] = [
        ['Authorization', 'Bearer s3cret'],
        ['Cookie', 'c=1'],
        ['X-Key', 's3cret'],
        ['x-plain', 'stays'],
      ];
      const request = (url: string): Promise<unknown> => named.request(get(url, { headers, secretHeaders: ['x-key'] }));
      await request(`${a}/?to=${encodeURIComponent('/end')}`);
      expect(lastSeen().request.headers).toMatchObject({
        authorization: 'Bearer s3cret',
        cookie: 'c=1',
        'x-key': 's3cret',
      });
      const back = `${b}/?to=${encodeURIComponent(`${a}/end`)}`;
      await request(`${a}/?to=${encodeURIComponent(back)}`);
      expect(lastSeen().request.url).toBe('/end');
      for (const { request: hop } of seen.slice(-2)) {
        expect(hop.headers).not.toHaveProperty('authorization');
        expect(hop.headers).not.toHaveProperty('cookie');
        expect(hop.headers).not.toHaveProperty('x-key');
        expect(hop.headers['x-plain']).toBe('stays');
      }
    });
  });

  describe('reports what failed without the resolved address', () => {
    it('for a refused connection and an unknown host', async () => {
      const closed = await serveHttp(() => undefined);
      await closed.close();
      const local = clientWith(['gone.internal'], resolvesTo('127.0.0.1'));
      const refused = await failureOf(local.request(get(`http://gone.internal:${closed.port}/`)));
      expect(refused).toMatchObject({ code: 'CONNECTION_REFUSED', systemCode: 'ECONNREFUSED' });
      expect(refused.message).not.toContain('127.0.0.1');
      const unknown = clientWith([], async () =>
        Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })),
      );
      expect(await failureOf(unknown.request(get('http://no.example/')))).toMatchObject({ code: 'HOST_NOT_FOUND' });
      expect(await failureOf(clientWith([], resolvesTo()).request(get('http://no.example/')))).toMatchObject({
        code: 'HOST_NOT_FOUND',
      });
    });

    it('for a certificate, which is accepted only on request and only for that request', async () => {
      const serving = serveHttps((_request, response) => {
        response.end('tls');
      });
      const tls = later(await serving, (open) => open.close());
      const secure = clientWith([`127.0.0.1:${tls.port}`]);
      expect((await failureOf(secure.request(get(`${tls.url}/`)))).code).toBe('CERTIFICATE');
      expect((await secure.request(get(`${tls.url}/`, { allowUnauthorizedCerts: true }))).status).toBe(200);
      expect((await failureOf(secure.request(get(`${tls.url}/`)))).code).toBe('CERTIFICATE');
    });
  });
});
