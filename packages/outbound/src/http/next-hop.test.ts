import { nextHop, type Hop } from './next-hop';
import type { OutboundRequest } from './outbound-http';

const bytes = (text: string): Uint8Array => Buffer.from(text);

const request: OutboundRequest = {
  method: 'POST',
  url: 'https://api.test/a?key=S%20C&page=1',
  headers: [
    ['X-Auth', 'secret'],
    ['Content-Type', 'application/json'],
    ['X-Own', 'kept'],
  ],
  body: bytes('{"a":1,"secret":"s"}'),
  timeoutMs: 1_000,
  followRedirects: true,
  secretHeaders: ['X-Auth'],
  credential: {
    query: 'key=S%20C',
    elsewhere: {
      headers: [
        ['X-Auth', 'secret'],
        ['Content-Type', 'application/json'],
        ['X-Own', 'kept'],
      ],
      body: bytes('{"a":1}'),
    },
  },
};

const follow = (hop: Hop, status: number, from: string, to: string): Hop =>
  nextHop(request, hop, status, new URL(from), new URL(to));
const bodyOf = ({ body }: Hop): string | undefined =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
const namesOf = ({ headers = [] }: Hop): string[] => headers.map(([name]) => name);

describe('a redirect', () => {
  it('within the origin keeps everything that a credential adds', () => {
    const hop = follow(request, 307, request.url, 'https://api.test/b?page=2');
    expect(bodyOf(hop)).toBe('{"a":1,"secret":"s"}');
    expect(namesOf(hop)).toEqual(['X-Auth', 'Content-Type', 'X-Own']);
    expect(hop.url).toBe('https://api.test/b?page=2&key=S%20C');
    expect(follow(request, 307, request.url, 'https://api.test/b?key=other').url).toBe('https://api.test/b?key=other');
  });

  it.each(['https://other.test/b', 'https://api.test:8443/b', 'http://api.test/b'])(
    'to %s drops all of it, in headers, query and body',
    (to) => {
      const hop = follow(request, 307, request.url, `${to}?page=1&key=S+C&x=%41`);
      expect(bodyOf(hop)).toBe('{"a":1}');
      expect(namesOf(hop)).toEqual(['Content-Type', 'X-Own']);
      expect(hop.url).toBe(`${to}?page=1&x=%41`);
    },
  );

  it('that leads back does not restore it', () => {
    const away = follow(request, 308, request.url, 'https://other.test/');
    const back = follow(away, 308, 'https://other.test/', 'https://api.test/c');
    expect([bodyOf(back), namesOf(back), back.url]).toEqual([
      '{"a":1}',
      ['Content-Type', 'X-Own'],
      'https://api.test/c',
    ]);
    expect(bodyOf(follow(back, 307, 'https://api.test/c', 'https://api.test/d'))).toBe('{"a":1}');
  });

  it('that has dropped the body does not bring it back at another origin', () => {
    const get = follow(request, 303, request.url, 'https://api.test/b');
    expect([get.method, bodyOf(get), namesOf(get)]).toEqual(['GET', undefined, ['X-Auth', 'X-Own']]);
    const away = follow(get, 307, 'https://api.test/b', 'https://other.test/');
    expect([away.method, bodyOf(away), namesOf(away)]).toEqual(['GET', undefined, ['X-Own']]);
  });

  it('of a request whose credential adds nothing repeats it', () => {
    const { credential: _credential, secretHeaders: _secret, ...plain } = request;
    const hop = nextHop(plain, plain, 307, new URL(request.url), new URL('https://other.test/?key=S%20C'));
    expect([bodyOf(hop), hop.url]).toEqual(['{"a":1,"secret":"s"}', 'https://other.test/?key=S%20C']);
  });
});
