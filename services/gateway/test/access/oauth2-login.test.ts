import { consolePageOf } from '../support/console-page';
import { startGateway, type TestGateway } from '../support/start-gateway';

const CALLBACK = '/rest/oauth2-credential/callback';
const body = { name: 'A service', type: 'oAuth2Api', data: { clientId: 'c' } };

describe('POST /api/v1/credentials/:id/oauth2/start', () => {
  let gateway: TestGateway;
  let cookie: string;
  beforeEach(async () => {
    gateway = await startGateway({ PUBLIC_URL: 'https://weft.example.test' });
    const { headers } = await consolePageOf(gateway).page('POST', '/session', {
      body: { email: 'owner@example.test', password: 'a long enough password' },
      headers: { origin: 'https://weft.example.test' },
    });
    cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await gateway.api('POST', '/credentials', { body });
  });
  afterEach(() => gateway.stop());

  const page = (method: string, path: string, more: { body?: unknown; cookie?: string } = {}) =>
    consolePageOf(gateway).page(method, path, {
      ...(more.body === undefined ? {} : { body: more.body }),
      headers: { cookie: more.cookie ?? cookie, origin: 'https://weft.example.test' },
    });
  const start = () => page('POST', '/v1/credentials/c1/oauth2/start');

  it('returns the page of the service, and keeps the attempt in a strict cookie of this host', async () => {
    const { status, json, headers, text } = await start();
    expect([status, json]).toEqual([200, { data: { url: 'https://service.example.test/authorize?state=s' } }]);
    expect(headers.getSetCookie()).toEqual([
      '__Host-weft_credential_login=sealed-attempt; Path=/; HttpOnly; SameSite=Strict; Max-Age=600; Secure',
    ]);
    expect(text).not.toContain('sealed-attempt');
    expect(gateway.credentials.callsOf('startLogin')).toMatchObject([
      {
        userId: 'user-1',
        request: {
          credentialId: 'c1',
          sessionToken: 'session1',
          redirectUri: `https://weft.example.test${CALLBACK}`,
        },
      },
    ]);
  });

  it('is refused to an API key, which has no browser', async () => {
    const { status, json } = await gateway.api('POST', '/credentials/c1/oauth2/start');
    expect([status, json.error?.details?.['reason']]).toEqual([409, 'SESSION_REQUIRED']);
  });

  it('leads the browser from the callback to the console, without calling a service', async () => {
    const before = gateway.credentials.seen.length;
    const { status, headers } = await gateway.ask(
      'GET',
      `${CALLBACK}?state=s&code=c%26d&scope=read&x=%0d%0aSet-Cookie:a=b`,
    );
    expect([status, headers.get('location'), headers.get('referrer-policy')]).toEqual([
      303,
      '/console/oauth2#code=c%26d&state=s',
      'no-referrer',
    ]);
    const long = await gateway.ask('GET', `${CALLBACK}?error=access_denied&code=${'x'.repeat(4_001)}`);
    expect(long.headers.get('location')).toBe('/console/oauth2#error=access_denied');
    expect((await gateway.ask('POST', CALLBACK)).status).toBe(404);
    expect((await gateway.ask('GET', `${CALLBACK}s`)).status).toBe(404);
    expect(gateway.credentials.seen).toHaveLength(before);
  });

  it('passes on what came back with the attempt and the session of this browser, and ends the attempt', async () => {
    const returned = { code: 'c', state: 's', error: '' };
    const both = `${cookie}; __Host-weft_credential_login=sealed-attempt`;
    const { status, json, headers } = await page('POST', '/oauth2', { body: returned, cookie: both });
    expect([status, json]).toEqual([200, { data: { id: 'c1', name: 'A service' } }]);
    expect(headers.getSetCookie()).toEqual([
      '__Host-weft_credential_login=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    ]);
    expect(gateway.credentials.callsOf('finishLogin')).toMatchObject([
      { userId: 'user-1', request: { attempt: 'sealed-attempt', sessionToken: 'session1', ...returned } },
    ]);
  });

  it('completes nothing without a session, and nothing for another site', async () => {
    const attempt = '__Host-weft_credential_login=sealed-attempt';
    const returned = { code: 'c', state: 's' };
    expect((await page('POST', '/oauth2', { body: returned, cookie: attempt })).status).toBe(401);
    const foreign = await consolePageOf(gateway).page('POST', '/oauth2', {
      body: returned,
      headers: { cookie: `${cookie}; ${attempt}`, origin: 'https://evil.example.test' },
    });
    expect(foreign.status).toBe(403);
    expect((await page('GET', '/oauth2')).status).toBe(404);
    expect(gateway.credentials.callsOf('finishLogin')).toEqual([]);
  });

  it('shows with the credential whether a user has to sign in', async () => {
    const { stored } = gateway.credentials;
    const setLogin = (login: { needsLogin: boolean; message: string }): void => {
      const credential = stored.get('c1');
      if (credential !== undefined) stored.set('c1', { ...credential, login });
    };
    setLogin({ needsLogin: true, message: 'The sign-in has ended.' });
    expect((await gateway.api('GET', '/credentials/c1')).json.data).toMatchObject({
      login: 'needsLogin',
      loginMessage: 'The sign-in has ended.',
    });
    setLogin({ needsLogin: false, message: '' });
    const { text } = await gateway.api('GET', '/credentials/c1');
    expect(text).toContain('"login":"signedIn"');
    expect(text).not.toContain('loginMessage');
  });
});
