import { closeAfterEach, keptLog } from '@weft/service-kit/testing';
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { CLIENT, newKey, signed, startProvider, type TestProvider, unsigned } from '../peers/provider';
import { gatewaysOfEachTest, type TestGateway } from '../support/start-gateway';

const SIGNED_IN = '/console/';
const FAILED = '/console/#refused=failed';
const UNAVAILABLE = '/console/#refused=unavailable';
/** Longer than a provider's keys are used without checking for new ones. */
const KEYS_AGE_MS = 61_000;

/** Creates an ID token that must be refused. */
type Forge = (provider: TestProvider, nonce: string) => string | undefined;

const signedWith =
  (change: (provider: TestProvider) => Readonly<Record<string, unknown>>): Forge =>
  (provider, nonce) => {
    const [key = newKey('none')] = provider.published;
    return signed({ ...provider.claimsFor(nonce), ...change(provider) }, key);
  };
const seconds = (fromNow: number): number => Math.floor(Date.now() / 1_000) + fromNow;

const FORGED: Readonly<Record<string, Forge>> = {
  'is signed by another key of the same id': (provider, nonce) => signed(provider.claimsFor(nonce), newKey('first')),
  'is signed by a key that the provider does not publish': (provider, nonce) =>
    signed(provider.claimsFor(nonce), newKey('unknown')),
  'was changed after it was signed': (provider, nonce) => {
    const [key = newKey('none')] = provider.published;
    const signature = signed(provider.claimsFor(nonce), key).split('.')[2] ?? '';
    const changed = { ...provider.claimsFor(nonce), sub: 'person-2' };
    return `${unsigned(changed, { alg: 'ES256', kid: 'first' })}.${signature}`;
  },
  'is not signed at all': (provider, nonce) => `${unsigned(provider.claimsFor(nonce), { alg: 'none' })}.`,
  'is signed with the secret of the client': (provider, nonce) => {
    const data = unsigned(provider.claimsFor(nonce), { alg: 'HS256', kid: 'first' });
    return `${data}.${createHmac('sha256', CLIENT.secret).update(data).digest('base64url')}`;
  },
  'is signed with the public key as if that were a secret': (provider, nonce) => {
    const data = unsigned(provider.claimsFor(nonce), { alg: 'HS256', kid: 'first' });
    const key = provider.published[0]?.publicKey.export({ format: 'pem', type: 'spki' }) ?? '';
    return `${data}.${createHmac('sha256', key).update(data).digest('base64url')}`;
  },
  'is for another client': signedWith(() => ({ aud: 'other' })),
  'is for several clients, and was given to another': signedWith(() => ({ aud: [CLIENT.id, 'other'], azp: 'other' })),
  'has another issuer': signedWith(() => ({ iss: 'http://127.0.0.1:1' })),
  'has the nonce of another attempt': signedWith(() => ({ nonce: 'a'.repeat(43) })),
  'has no nonce': signedWith(() => ({ nonce: undefined })),
  'has expired': signedWith(() => ({ iat: seconds(-600), exp: seconds(-60) })),
  'never expires': signedWith(() => ({ exp: undefined })),
  'is not valid yet': signedWith(() => ({ nbf: seconds(600) })),
  'has no subject': signedWith(() => ({ sub: undefined })),
  'is missing': () => undefined,
};

describe('a sign-in with an identity provider', () => {
  const start = gatewaysOfEachTest();
  const later = closeAfterEach();
  const log = keptLog('error');
  let provider: TestProvider;
  let gateway: TestGateway;
  beforeEach(async () => {
    provider = later(await startProvider(), ({ stop }) => stop());
    gateway = await start({ ...provider.variables, TRUST_PROXY: '1' }, log.logger);
  });
  afterEach(() => jest.restoreAllMocks());

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { headers: sent } = await gateway.ask('GET', path, { headers });
    return { location: sent.get('location') ?? '', cookies: sent.getSetCookie() };
  };
  const begin = (client = '192.0.2.1') => get('/settings/oidc/begin', { 'x-forwarded-for': client });
  /** The attempt of a browser whose user has signed in at the provider. */
  const attempt = async () => {
    const { location, cookies } = await begin();
    const authorization = new URL(location);
    const query = new URLSearchParams({
      code: provider.grant(authorization),
      state: authorization.searchParams.get('state') ?? '',
    });
    return { query, cookie: cookies[0]?.split(';')[0] ?? '' };
  };
  const comeBack = ({ query, cookie }: { readonly query: URLSearchParams; readonly cookie: string }) =>
    get(`/settings/oidc/return?${query.toString()}`, { cookie });
  const signIn = async () => comeBack(await attempt());
  const sessions = () => gateway.identity.callsOf('signInWithIdentity');
  const expectRefused = (reply: Awaited<ReturnType<typeof get>>, location: string): void => {
    expect(reply.location).toBe(location);
    expect(reply.cookies.filter((line) => line.startsWith('weft_session='))).toEqual([]);
    expect(sessions()).toEqual([]);
  };
  /** A server that the provider tries to make the gateway call. */
  const otherServer = async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    later(server, (open) => open.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, calls: () => calls };
  };

  it('opens a session for the identified person, and ends the attempt', async () => {
    const { location, cookies } = await signIn();
    expect(location).toBe(SIGNED_IN);
    expect(cookies).toEqual([
      expect.stringMatching(/^weft_sign_in=;.*Max-Age=0/),
      expect.stringMatching(/^weft_session=session1; Path=\/console;/),
      expect.stringMatching(/^weft_session=session1; Path=\/settings;/),
    ]);
    expect(sessions()).toMatchObject([{ request: { issuer: provider.issuer, subject: 'person-1' } }]);
  });

  it.each(Object.entries(FORGED))('refuses an ID token that %s', async (_what, forge) => {
    provider.token.make = (nonce) => forge(provider, nonce);
    expectRefused(await signIn(), FAILED);
  });

  it('is refused with another state, without a call to the provider', async () => {
    const { query, cookie } = await attempt();
    const before = provider.asked.length;
    for (const state of ['', 'a'.repeat(43)]) {
      query.set('state', state);
      expectRefused(await comeBack({ query, cookie }), '/console/#refused=expired');
    }
    expectRefused(await comeBack({ query, cookie: '' }), '/console/#refused=expired');
    expect(provider.asked).toHaveLength(before);
  });

  it('is refused if it is replayed with everything its browser had', async () => {
    const made = await attempt();
    expect((await comeBack(made)).location).toBe(SIGNED_IN);
    expect((await comeBack(made)).location).toBe(FAILED);
    expect(sessions()).toHaveLength(1);
  });

  it('is refused with the code of another attempt', async () => {
    const [own, other] = [await attempt(), await attempt()];
    own.query.set('code', other.query.get('code') ?? '');
    expectRefused(await comeBack(own), FAILED);
  });

  it('continues after the provider has replaced its keys', async () => {
    expect((await signIn()).location).toBe(SIGNED_IN);
    provider.published.unshift(newKey('second'));
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + KEYS_AGE_MS);
    expect((await signIn()).location).toBe(SIGNED_IN);
    expect(provider.asked.filter((path) => path === '/jwks')).toHaveLength(2);
  });

  it.each(['token_endpoint', 'jwks_uri'])('calls no %s on a host that is not configured', async (name) => {
    const other = await otherServer();
    provider.metadata[name] = `${other.url}/endpoint`;
    expectRefused(await signIn(), FAILED);
    expect(other.calls()).toBe(0);
  });

  it.each(['/token', '/jwks'])('follows no redirect of %s', async (path) => {
    const other = await otherServer();
    provider.answer(path, (_request, response) => response.writeHead(307, { location: other.url }).end());
    expectRefused(await signIn(), FAILED);
    expect(other.calls()).toBe(0);
  });

  it('does not begin with metadata of another issuer', async () => {
    provider.metadata['issuer'] = 'http://127.0.0.1:1';
    expectRefused(await begin(), UNAVAILABLE);
  });

  it.each([
    ['/.well-known/openid-configuration', UNAVAILABLE],
    ['/token', FAILED],
    ['/jwks', FAILED],
  ])('reads little more than 1 MB of %s', async (path, location) => {
    let sent = 0;
    provider.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        response.write(' '.repeat(65_536), () => setImmediate(more));
      };
      more();
    });
    const reply = location === UNAVAILABLE ? await begin() : await signIn();
    expectRefused(reply, location);
    // Anything else in the sockets of both sides is not read.
    expect(sent).toBeLessThan(20_000_000);
  });

  it('ends if the provider is unavailable, or its response breaks off', async () => {
    const made = await attempt();
    provider.answer('/token', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"acc');
      setImmediate(() => response.destroy());
    });
    expectRefused(await comeBack(made), FAILED);
    const next = await attempt();
    await provider.stop();
    expectRefused(await comeBack(next), FAILED);
  });

  it('has four slots per client while the provider does not respond, and others for other clients', async () => {
    const held: ServerResponse[] = [];
    let hasFailed = false;
    provider.answer('/.well-known/openid-configuration', (_request, response) => {
      if (hasFailed) response.destroy();
      else held.push(response);
    });
    const locations = (clients: readonly string[]) => clients.map(async (client) => (await begin(client)).location);
    const ofOne = locations(Array<string>(5).fill('192.0.2.1'));
    expect(await Promise.race(ofOne)).toBe('/console/#refused=busy');
    const ofOther = locations(['192.0.2.2']);
    hasFailed = true;
    for (const response of held) response.destroy();
    expect((await Promise.all(ofOne)).sort()).toEqual([
      '/console/#refused=busy',
      ...Array<string>(4).fill(UNAVAILABLE),
    ]);
    expect(await Promise.all(ofOther)).toEqual([UNAVAILABLE]);
  });

  it('logs no error, whatever the provider does', () => {
    expect(log.lines).toEqual([]);
  });
});
