import { closeAfterEach } from '@weft/service-kit/testing';
import { OutboundError, OutboundRefused, type OutboundRequest } from '../http/outbound-http';
import { parseProxy } from './egress-proxy';
import type { Resolver } from '../guard/guarded-lookup';
import { createOutboundClient, type OutboundClient } from '../http/outbound-client';
import { bodyOf, type LocalServer, serveHttp, serveHttps, serveTcp } from '../testing/local-server';
import { type ProxyServer, serveProxy } from '../testing/proxy-server';

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  timeoutMs: 5_000,
  followRedirects: true,
  ...more,
});
const failureOf = async (promise: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OutboundError) return error;
  throw new Error(`An outbound error was expected, not ${String(error)}.`);
};
const ruleOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await failureOf(promise);
  return error instanceof OutboundRefused ? error.rule : error.code;
};
const unknownHost: Resolver = () => Promise.reject(new Error('getaddrinfo ENOTFOUND'));

describe('an egress proxy that resolves names', () => {
  let plain: LocalServer;
  let secure: LocalServer;
  let proxy: ProxyServer;
  const later = closeAfterEach();
  const clientBy = (url: string, allow: readonly string[] = [], resolve: Resolver = unknownHost): OutboundClient => {
    const client = createOutboundClient({ allow, resolve, proxy: url, proxyResolves: true, sockets: { perHost: 2 } });
    return later(client, (open) => open.close());
  };
  const proxyWith = async (refuse?: Parameters<typeof serveProxy>[0]): Promise<ProxyServer> =>
    later(await serveProxy(refuse), (open) => open.close());

  beforeAll(async () => {
    const answer: Parameters<typeof serveHttp>[0] = (request, response) => {
      void bodyOf(request).then((body) => {
        const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
        if (to !== null) response.writeHead(302, { location: to });
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            host: request.headers.host,
            proxy: request.headers['proxy-authorization'],
            body,
          }),
        );
      });
    };
    plain = await serveHttp(answer);
    secure = await serveHttps(answer);
  });
  beforeEach(async () => {
    proxy = await proxyWith();
  });
  afterAll(async () => {
    await plain.close();
    await secure.close();
  });

  const answered = async (client: OutboundClient, request: OutboundRequest): Promise<unknown> => {
    const { body } = await client.request(request);
    return JSON.parse(Buffer.from(body).toString());
  };

  it('is asked for http in absolute form, with its own credentials on every request', async () => {
    const client = clientBy(proxy.url.replace('//', '//us%40er:p%3Aw@'));
    const url = `http://api.example:${plain.port}/a?b=c`;
    expect(await answered(client, get(url, { method: 'POST', body: Buffer.from('hello') }))).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      host: `api.example:${plain.port}`,
      body: 'hello',
    });
    await client.request(get(url));
    const authorization = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
    expect(proxy.seen).toEqual([
      { line: `POST ${url}`, host: `api.example:${plain.port}`, authorization },
      { line: `GET ${url}`, host: `api.example:${plain.port}`, authorization },
    ]);
    expect(proxy.mostOpen()).toBe(1);
  });

  it('opens one tunnel for https requests to a host, which never sees the credentials of the proxy', async () => {
    const client = clientBy(proxy.url.replace('//', '//user:pw@'));
    const url = `https://api.example:${secure.port}/a`;
    const seen = await answered(client, get(url, { allowUnauthorizedCerts: true }));
    expect(seen).toMatchObject({ url: '/a', host: `api.example:${secure.port}` });
    expect(seen).not.toHaveProperty('proxy');
    await client.request(get(url, { allowUnauthorizedCerts: true }));
    expect(proxy.seen.map(({ line }) => line)).toEqual([`CONNECT api.example:${secure.port}`]);
    expect(proxy.seen[0]?.authorization).toBe(`Basic ${Buffer.from('user:pw').toString('base64')}`);
  });

  it('does not weaken the check of certificates', async () => {
    expect((await failureOf(clientBy(proxy.url).request(get(`https://localhost.example:${secure.port}/`)))).code).toBe(
      'CERTIFICATE',
    );
  });

  it('carries redirects too, and the guard checks each', async () => {
    const client = clientBy(proxy.url);
    const to = (url: string): string => `http://a.example:${plain.port}/?to=${encodeURIComponent(url)}`;
    expect(await answered(client, get(to(`http://b.example:${plain.port}/end`)))).toMatchObject({ url: '/end' });
    expect(proxy.seen.at(-1)?.line).toBe(`GET http://b.example:${plain.port}/end`);
    expect(await ruleOf(client.request(get(to('http://10.0.0.1/'))))).toBe('private-address');
  });

  describe('is not asked for', () => {
    it.each(['http://127.0.0.1', 'http://10.1.2.3', 'https://[::1]', 'http://169.254.169.254'])(
      'the address %s',
      async (url) => {
        expect(await ruleOf(clientBy(proxy.url).request(get(url)))).toMatch(/-address$/);
        expect(proxy.seen).toEqual([]);
      },
    );

    it.each([
      'localhost',
      'db',
      'metadata.google.internal',
      'printer.local',
      'redis.default.svc',
      'redis.default.svc.cluster.local',
      'router.home.arpa',
    ])('the local name %s', async (host) => {
      for (const scheme of ['http', 'https'])
        expect(await ruleOf(clientBy(proxy.url).request(get(`${scheme}://${host}/`)))).toBe('local-name');
      expect(proxy.seen).toEqual([]);
    });

    it('a public name that leads to a private address as far as this process can see', async () => {
      const client = clientBy(proxy.url, [], async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.9.8.7', family: 4 },
      ]);
      for (const scheme of ['http', 'https'])
        expect(await ruleOf(client.request(get(`${scheme}://rebound.example/`)))).toBe('private-address');
      expect(proxy.seen).toEqual([]);
    });
  });

  it('is asked for what the operator allows, by name and by block', async () => {
    const url = `http://wiki.internal:${plain.port}/`;
    expect((await clientBy(proxy.url, ['*.internal']).request(get(url))).status).toBe(200);
    expect(
      (await clientBy(proxy.url, ['127.0.0.0/8'], async () => [{ address: '127.0.0.1', family: 4 }]).request(get(url)))
        .status,
    ).toBe(200);
    expect((await clientBy(proxy.url, ['127.0.0.0/8']).request(get(`http://127.0.0.1:${plain.port}/`))).status).toBe(
      200,
    );
  });

  it('is bypassed for hosts, suffixes and addresses listed by the operator, which the guard still checks', async () => {
    const resolve: Resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const clientWith = (allow: readonly string[]): OutboundClient => {
      const client = createOutboundClient({
        allow,
        proxy: proxy.url,
        proxyResolves: true,
        noProxy: ['*.internal', '127.0.0.0/8', 'near.example'],
        resolve,
      });
      return later(client, (open) => open.close());
    };
    const client = clientWith(['*.internal', 'far.example']);
    expect((await client.request(get(`http://wiki.internal:${plain.port}/`))).status).toBe(200);
    expect(
      (await client.request(get(`https://wiki.internal:${secure.port}/`, { allowUnauthorizedCerts: true }))).status,
    ).toBe(200);
    expect((await clientWith(['127.0.0.1']).request(get(`http://127.0.0.1:${plain.port}/`))).status).toBe(200);
    expect(await ruleOf(client.request(get(`http://near.example:${plain.port}/`)))).toBe('loopback-address');
    const socket = await client.openSocket('wiki.internal', plain.port, new AbortController().signal);
    later(socket, (open) => open.destroy());
    expect(proxy.seen).toEqual([]);
    expect((await client.request(get(`http://far.example:${plain.port}/`))).status).toBe(200);
    expect(proxy.seen).toHaveLength(1);
    expect(() => createOutboundClient({ allow: [], proxy: proxy.url, noProxy: ['not a host'] })).toThrow(
      'OUTBOUND_NO_PROXY',
    );
  });

  it('is asked even if the look-up of a name hangs, which is tried once', async () => {
    let asked = 0;
    const client = clientBy(proxy.url, [], () => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const request = get(`http://api.example:${plain.port}/`);
    expect((await client.request(request)).status).toBe(200);
    // Two at once need a second connection.
    await Promise.all([client.request(request), client.request(request)]);
    expect(proxy.mostOpen()).toBe(2);
    expect(asked).toBe(1);
  });

  it('respects the limit of sockets to a host, also while they are being opened', async () => {
    const client = clientBy(proxy.url);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        client.request(get(`https://api.example:${secure.port}/`, { allowUnauthorizedCerts: true })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(proxy.seen.length).toBeLessThanOrEqual(2);
  });

  it.each(['http', 'https'])('that refuses is distinguished from a host that does (%s)', async (scheme) => {
    const strict = await proxyWith(() => 407);
    const error = await failureOf(clientBy(strict.url).request(get(`${scheme}://api.example/`)));
    expect(error).toMatchObject({ code: 'CONNECTION_REFUSED' });
    expect(error.message).toMatch(/egress proxy .* "api.example" \(status 407\).*OUTBOUND_PROXY/);
  });

  it('that refuses a tunnel is reported with its status', async () => {
    const strict = await proxyWith(() => 403);
    expect((await failureOf(clientBy(strict.url).request(get('https://api.example/')))).message).toContain(
      '(status 403)',
    );
  });

  it.each(['http', 'https'])('that is down is named, without its address (%s)', async (scheme) => {
    const gone = await serveTcp(() => undefined);
    await gone.close();
    const error = await failureOf(clientBy(gone.url).request(get(`${scheme}://api.example/`)));
    expect(error.message).toBe('The egress proxy of this service could not be reached (ECONNREFUSED).');
  });

  it.each(['http', 'https'])('that never answers ends with the time limit of the request (%s)', async (scheme) => {
    const silent = later(await serveTcp(() => undefined), (open) => open.close());
    expect(
      (await failureOf(clientBy(silent.url).request(get(`${scheme}://api.example/`, { timeoutMs: 200 })))).code,
    ).toBe('TIMEOUT');
  });

  it.each([
    ['proxy.internal:3128', /must begin with http:/],
    ['https://proxy:3128', /must begin with http:/],
    ['http://user:s3cret@proxy:3128/path', /more than a host and a port/],
    ['nonsense', /not a URL/],
  ])('%s is refused at start', (text, message) => {
    expect(() => parseProxy(text)).toThrow(message);
    expect(() => parseProxy(text)).not.toThrow(/s3cret/);
  });
});
