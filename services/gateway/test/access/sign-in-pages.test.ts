import { Unavailable } from '@weft/service-kit/errors';
import { consolePageOf } from '../support/console-page';
import { PERSON } from '../peers/identity';
import { rawRequest } from '../support/raw-request';
import { gatewaysOfEachTest, startGateway, type Ask, type TestGateway } from '../support/start-gateway';

const PAGE = { 'x-weft-console': '1' };

describe('the sign-in of the console', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const page = (method: string, path: string, params: Ask = {}) => consolePageOf(gateway).page(method, path, params);
  const cookieOf = async (): Promise<string> => (await consolePageOf(gateway).signedIn()).headers.cookie;

  it('signs in with a cookie that scripts and other sites cannot use, and never shows the token', async () => {
    const { status, json, headers, text } = await page('POST', '/session', { body: PERSON });
    expect([status, json]).toEqual([200, { data: { id: 'user-1', email: PERSON.email, role: 'owner' } }]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^weft_session=session1; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=3\d\d\d$/),
      expect.stringMatching(/^weft_session=session1; Path=\/settings; HttpOnly; SameSite=Strict; Max-Age=3\d\d\d$/),
    ]);
    expect(text).not.toContain('session1');
    expect(gateway.identity.callsOf('signIn')[0]?.request).toEqual({ ...PERSON, clientAddress: '127.0.0.1' });
  });

  it('refuses a body of more than 64 KB, announced or not, before anyone is signed in', async () => {
    const over = await page('POST', '/session', { body: { ...PERSON, padding: 'x'.repeat(65_536) } });
    expect([over.status, over.json.error?.message]).toEqual([413, 'The body exceeds the limit of 65536 bytes.']);
    expect(
      await rawRequest(
        gateway.port,
        'POST',
        '/console/api/session',
        { ...PAGE, 'content-type': 'application/json' },
        'x'.repeat(65_537),
      ),
    ).toMatchObject({ status: 413 });
    expect(gateway.identity.callsOf('signIn')).toEqual([]);
  });

  it('is 401 for a wrong password, and reports that no user is signed in', async () => {
    const { status, json, headers } = await page('POST', '/session', { body: { ...PERSON, password: 'wrong' } });
    expect([status, json.error?.code, headers.getSetCookie()]).toEqual([401, 'UNAUTHORIZED', []]);
    expect((await page('GET', '/session')).json).toEqual({ data: null });
  });

  it('ends the session in the service and in the browser', async () => {
    const cookie = await cookieOf();
    expect((await page('GET', '/session', { headers: { cookie } })).json).toEqual({
      data: { id: 'user-1', email: PERSON.email, role: 'owner' },
    });
    const { status, headers } = await page('DELETE', '/session', { headers: { cookie } });
    expect([status, headers.getSetCookie()]).toEqual([
      200,
      [
        'weft_session=; Path=/console; HttpOnly; SameSite=Strict; Max-Age=0',
        'weft_session=; Path=/settings; HttpOnly; SameSite=Strict; Max-Age=0',
      ],
    ]);
    expect((await page('GET', '/v1/keys', { headers: { cookie } })).status).toBe(401);
    expect((await page('DELETE', '/session')).status).toBe(200);
  });

  it.each([
    ['POST', '/session', PERSON],
    ['POST', '/setup', { setupCode: 'x', ...PERSON }],
    ['POST', '/invitation', { token: 'x' }],
    ['POST', '/invitation/accept', { token: 'x', password: 'a long enough password' }],
    ['DELETE', '/session', undefined],
  ])('%s %s is 403 from another site', async (method, path, body) => {
    const cookie = await cookieOf();
    const before = gateway.identity.seen.length;
    const foreign = await page(method, path, { body, headers: { cookie, origin: 'https://evil.example' } });
    const opaque = await page(method, path, { body, headers: { cookie, origin: 'null' } });
    const byForm = await gateway.ask(method, `/console/api${path}`, { body, headers: { cookie } });
    expect([foreign.status, opaque.status, byForm.status]).toEqual([403, 403, 403]);
    expect(gateway.identity.seen).toHaveLength(before);
    expect((await page(method, path, { body, headers: { cookie, origin: gateway.base } })).status).not.toBe(403);
  });

  it('is 400 for invalid bodies, and reports unknown paths', async () => {
    for (const body of ['{', '[]', {}, { email: PERSON.email }, { email: 1, password: 2 }])
      expect((await page('POST', '/session', { body })).status).toBe(400);
    const { status, json } = await page('GET', '/nothing');
    expect([status, Object.keys(json)]).toEqual([404, ['error']]);
  });

  it('is 503 while passwords cannot be checked', async () => {
    gateway.identity.fail('signIn', new Unavailable('Away.'));
    expect((await page('POST', '/session', { body: PERSON })).status).toBe(503);
  });

  it('is set up once, with the code, and signs in immediately', async () => {
    const params = { setupCode: 'ABCDE-01234', ...PERSON };
    gateway.identity.setup.open = true;
    expect((await page('GET', '/setup')).json).toEqual({ data: { open: true } });
    expect((await page('POST', '/setup', { body: { ...params, setupCode: 'wrong' } })).status).toBe(401);
    const { status, json, headers, text } = await page('POST', '/setup', { body: params });
    expect([status, json]).toEqual([201, { data: { id: 'user-1', email: PERSON.email, role: 'owner' } }]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^weft_session=session1; Path=\/console;/),
      expect.stringMatching(/^weft_session=session1; Path=\/settings; HttpOnly; SameSite=Strict; Max-Age=3\d\d\d$/),
    ]);
    expect(text).not.toContain('session1');
    expect(gateway.identity.callsOf('setUpOwner').at(-1)?.request).toEqual({ ...params, clientAddress: '127.0.0.1' });
    expect((await page('GET', '/v1/keys', { headers: { cookie: 'weft_session=session1' } })).status).toBe(200);
    expect((await page('GET', '/setup')).json).toEqual({ data: { open: false } });
    const again = await page('POST', '/setup', { body: params });
    expect([again.status, again.json.error]).toEqual([
      409,
      expect.objectContaining({ code: 'CONFLICT', message: 'It has an owner. Sign in instead.' }),
    ]);
  });

  it('names the missing fields of a set-up, without calling the service', async () => {
    for (const body of [{}, { setupCode: 'x', email: 'y' }, { setupCode: 1, ...PERSON }, '[]', '{'])
      expect((await page('POST', '/setup', { body })).status).toBe(400);
    expect(gateway.identity.callsOf('setUpOwner')).toEqual([]);
  });

  it('gives no access to /api/v1: sessions are only for the console', async () => {
    const cookie = await cookieOf();
    expect((await gateway.ask('GET', '/api/v1/workflows', { headers: { cookie } })).status).toBe(401);
  });
});

describe('the sign-in of the console behind https', () => {
  const start = gatewaysOfEachTest();

  it('marks its cookie Secure', async () => {
    const gateway = await start({ TRUST_PROXY: '1' });
    const { headers } = await gateway.ask('POST', '/console/api/session', {
      body: PERSON,
      headers: { ...PAGE, 'x-forwarded-proto': 'https' },
    });
    expect(headers.getSetCookie()[0]).toMatch(/; Secure$/);
  });
});

describe('/settings', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const SETTINGS = { 'x-weft-settings': '1' };

  it.each(['/settings', '/settings/', '/settings?from=mail'])('leads to the console from %s', async (path) => {
    const { status, headers } = await gateway.ask('GET', path);
    // Without a fragment in the location, the browser keeps that of the link: an invitation.
    expect([status, headers.get('location')]).toEqual([302, '/console/']);
  });

  it('signs in, shows who is signed in, and signs out at the former address', async () => {
    const made = await gateway.ask('POST', '/settings/api/session', { body: PERSON, headers: SETTINGS });
    expect([made.status, made.json.data]).toMatchObject([200, { email: PERSON.email }]);
    const headers = { ...SETTINGS, cookie: made.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const shown = await gateway.ask('GET', '/settings/api/session', { headers });
    expect(shown.json.data).toMatchObject({ email: PERSON.email });
    expect((await gateway.ask('DELETE', '/settings/api/session', { headers: { cookie: '' } })).status).toBe(403);
    expect((await gateway.ask('DELETE', '/settings/api/session', { headers })).status).toBe(200);
    expect((await gateway.ask('GET', '/settings/api/session', { headers })).json).toEqual({ data: null });
  });

  it.each(['/settings/settings.js', '/settings/api/keys', '/settings/api/users', '/settings/%2e%2e/package.json'])(
    'has nothing at %s',
    async (path) => {
      const { status, json } = await gateway.ask('GET', path, { headers: SETTINGS });
      expect([status, Object.keys(json)]).toEqual([404, ['error']]);
    },
  );
});
