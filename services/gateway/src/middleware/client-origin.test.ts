import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientAddress, requestOrigin } from './client-origin';

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
