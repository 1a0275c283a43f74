import { setTimeout } from 'node:timers/promises';
import { closeAfterEach } from '@weft/service-kit/testing';
import type { OutboundRequest } from '../http/outbound-http';
import type { Resolver } from '../guard/guarded-lookup';
import { createOutboundClient, type OutboundClient } from '../http/outbound-client';
import { type LocalServer, serveHttp, serveHttps } from '../testing/local-server';
import { type ProxiedRequest, type ProxyServer, serveProxy } from '../testing/proxy-server';

const PUBLIC = '93.184.216.34';

const get = (url: string): OutboundRequest => ({
  method: 'GET',
  url,
  timeoutMs: 5_000,
  followRedirects: true,
  allowUnauthorizedCerts: true,
});
const addresses =
  (...found: readonly string[]): Resolver =>
  async () =>
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('an egress proxy', () => {
  let plain: LocalServer;
  let secure: LocalServer;
  let proxy: ProxyServer;
  const later = closeAfterEach();
  const clientBy = (resolve: Resolver): OutboundClient =>
    later(createOutboundClient({ allow: [], resolve, proxy: proxy.url }), (open) => open.close());
  const proxyWith = async (refuse?: (seen: ProxiedRequest) => number | undefined): Promise<ProxyServer> =>
    later(await serveProxy(refuse), (open) => open.close());
  const asked = (): readonly string[] => proxy.seen.map(({ line }) => line);

  beforeAll(async () => {
    const answer: Parameters<typeof serveHttp>[0] = ({ socket, url, headers }, response) => {
      const name: unknown = 'servername' in socket ? socket.servername : undefined;
      response.end(JSON.stringify({ url, host: headers.host, name, proxy: headers['proxy-authorization'] }));
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

  it('is asked for the address that was checked, and the host for its name', async () => {
    const client = clientBy(addresses(PUBLIC));
    const bodies = [];
    for (const [scheme, { port }] of [
      ['http', plain],
      ['https', secure],
    ] as const) {
      const { body } = await client.request(get(`${scheme}://api.example:${port}/a?b=c`));
      bodies.push(JSON.parse(Buffer.from(body).toString()));
    }
    expect(bodies).toEqual([
      { url: '/a?b=c', host: `api.example:${plain.port}` },
      { url: '/a?b=c', host: `api.example:${secure.port}`, name: 'api.example' },
    ]);
    expect(asked()).toEqual([`CONNECT ${PUBLIC}:${plain.port}`, `CONNECT ${PUBLIC}:${secure.port}`]);
  });

  it('is asked for one tunnel for several requests to a host, and for an IPv6 address in brackets', async () => {
    const client = clientBy(addresses('2606:2800:220:1::1'));
    for (let request = 0; request < 3; request += 1) await client.request(get(`http://api.example:${plain.port}/`));
    expect(asked()).toEqual([`CONNECT [2606:2800:220:1::1]:${plain.port}`]);
  });

  it.each<[string, string, Resolver]>([
    [
      'a name whose look-up takes its time',
      'slow.attacker.example',
      () => setTimeout(1_200, [local('169.254.169.254')]),
    ],
    ['a name of the cluster', 'weft-mongodb.weft', addresses('10.0.12.7')],
    ['an address in a name', '127.0.0.1.nip.io', addresses('127.0.0.1')],
    ['a name with one refused address among others', 'mixed.attacker.example', addresses(PUBLIC, '10.9.8.7')],
  ])('is not asked for %s', async (_, host, resolve) => {
    const client = clientBy(resolve);
    for (const scheme of ['http', 'https'])
      await expect(client.request(get(`${scheme}://${host}/`))).rejects.toMatchObject({
        rule: expect.stringMatching(/-address$/),
      });
    await expect(client.openSocket(host, 25, AbortSignal.timeout(5_000))).rejects.toMatchObject({
      rule: expect.stringMatching(/-address$/),
    });
    expect(asked()).toEqual([]);
  });

  it.each(['vault.corp', 'kubernetes.default', 'unknown.example'])(
    'is not asked for %s, which only it might resolve, and the error names the setting for that',
    async (host) => {
      const client = clientBy(() => Promise.reject(new Error('getaddrinfo ENOTFOUND')));
      await expect(client.request(get(`https://${host}/`))).rejects.toMatchObject({
        code: 'HOST_NOT_FOUND',
        message: expect.stringContaining('OUTBOUND_PROXY_RESOLVES'),
      });
      expect(asked()).toEqual([]);
    },
  );

  it('is asked for the first look-up of a name that changes its address afterwards', async () => {
    let lookUps = 0;
    const client = clientBy(async () => {
      lookUps += 1;
      return [local(lookUps === 1 ? PUBLIC : '127.0.0.1')];
    });
    await client.request(get(`http://rebind.attacker.example:${plain.port}/`));
    expect(asked()).toEqual([`CONNECT ${PUBLIC}:${plain.port}`]);
    expect(lookUps).toBe(1);
  });

  it('is asked for three addresses of a host at most, one after the other', async () => {
    const found = ['93.184.216.1', '93.184.216.2', '93.184.216.3', '93.184.216.4'];
    proxy = await proxyWith(({ line }) => (line.includes('216.2:') ? undefined : 502));
    await clientBy(addresses(...found)).request(get(`http://api.example:${plain.port}/`));
    expect(asked()).toEqual(found.slice(0, 2).map((address) => `CONNECT ${address}:${plain.port}`));
    proxy = await proxyWith(() => 502);
    await expect(clientBy(addresses(...found)).request(get('http://api.example/'))).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      message: expect.stringContaining('"api.example" (status 502)'),
    });
    expect(asked()).toHaveLength(3);
  });
});

function local(address: string): { address: string; family: number } {
  return { address, family: 4 };
}
