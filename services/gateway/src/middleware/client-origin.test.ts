import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ingressOrigin, clientAddress, clientShare, requestOrigin, warnAboutProxies } from './client-origin';

const requestWith = (headers: Readonly<Record<string, string>>): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), { headers });

describe('the origin of a request', () => {
  it.each([
    [0, '1.1.1.1, 2.2.2.2', ''],
    [1, '1.1.1.1, 2.2.2.2', '2.2.2.2'],
    [2, '1.1.1.1, 2.2.2.2', '1.1.1.1'],
    [5, '1.1.1.1, 2.2.2.2', '1.1.1.1'],
    [1, '', ''],
  ])('with %i trusted proxies and %j it is %j', (trustProxy, forwarded, expected) => {
    expect(clientAddress(requestWith({ 'x-forwarded-for': forwarded }), { trustProxy })).toBe(expected);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
  ])('has a share of capacity: that of %s is %s', (forwarded, expected) => {
    expect(clientShare(requestWith({ 'x-forwarded-for': forwarded }), { trustProxy: 1 })).toBe(expected);
  });

  it('of webhooks is WEBHOOK_HOST, if it is set', () => {
    const trust = { trustProxy: 0, publicUrl: 'https://public.example' };
    expect(ingressOrigin(requestWith({}), { ...trust, webhookHost: '' })).toBe('https://public.example');
    const webhookHost = 'https://hooks.example/';
    expect(ingressOrigin(requestWith({}), { ...trust, webhookHost })).toBe('https://hooks.example');
  });

  it.each([
    [0, '', { host: 'a.example:81', 'x-forwarded-proto': 'https' }, 'http://a.example:81'],
    [1, '', { host: 'a.example', 'x-forwarded-proto': 'https' }, 'https://a.example'],
    [1, '', { host: 'a.example', 'x-forwarded-proto': 'https, http' }, 'http://a.example'],
    [0, 'https://public.example/', { host: 'a.example' }, 'https://public.example'],
    [0, '', { host: 'a.example/<script>' }, 'http://localhost'],
    [0, '', {}, 'http://localhost'],
  ])(
    'with %i trusted proxies, public address %j and %j the origin is %j',
    (trustProxy, publicUrl, headers, expected) => {
      expect(requestOrigin(requestWith(headers), { trustProxy, publicUrl })).toBe(expected);
    },
  );
});

describe('a gateway that does not know of its proxy', () => {
  const warningsOf = (trustProxy: number, publicUrl: string, ...forwarded: readonly (string | undefined)[]) => {
    const warnings: string[] = [];
    const warn = (...parts: readonly unknown[]): void => {
      warnings.push(String(parts.at(-1)));
    };
    const check = warnAboutProxies({ trustProxy, publicUrl }, { warn });
    for (const one of forwarded) check(requestWith(one === undefined ? {} : { 'x-forwarded-for': one }));
    return warnings;
  };

  it('warns at its start if PUBLIC_URL is https', () => {
    expect(warningsOf(0, 'https://weft.example')).toEqual([expect.stringContaining('set TRUST_PROXY')]);
    expect(warningsOf(1, 'https://weft.example', '192.0.2.7')).toEqual([]);
    expect(warningsOf(0, 'http://localhost:8080')).toEqual([]);
  });

  it('warns once of an X-Forwarded-For that it ignores', () => {
    expect(warningsOf(0, '', undefined)).toEqual([]);
    expect(warningsOf(0, '', undefined, '192.0.2.7', '192.0.2.8')).toEqual([
      expect.stringContaining('X-Forwarded-For is ignored'),
    ]);
  });
});
