import { Unavailable } from '@weft/service-kit/errors';
import { PERSON } from '../peers/identity';
import { rawRequest } from '../support/raw-request';
import { gatewaysOfEachTest, startGateway, type Ask, type TestGateway } from '../support/start-gateway';

const PAGE = { 'x-weft-settings': '1' };

describe('the settings page', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const page = (method: string, path: string, params: Ask = {}) =>
    gateway.ask(method, `/settings/api${path}`, { ...params, headers: { ...PAGE, ...params.headers } });
  const cookieOf = async (): Promise<string> => {
    const { headers } = await page('POST', '/session', { body: PERSON });
    return headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  it.each([
    ['/settings', 'text/html'],
    ['/settings/', 'text/html'],
    ['/settings/settings.js', 'text/javascript'],
    ['/settings/page.js', 'text/javascript'],
    ['/settings/keys.js', 'text/javascript'],
    ['/settings/users.js', 'text/javascript'],
    ['/settings/projects.js', 'text/javascript'],
    ['/settings/credentials.js', 'text/javascript'],
    ['/settings/audit.js', 'text/javascript'],
    ['/settings/settings.css', 'text/css'],
    ['/settings/icon.svg', 'image/svg+xml'],
  ])('serves %s from this host alone and in no frame', async (path, type) => {
    const { status, headers } = await gateway.ask('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('content-security-policy')).toBe(
      `default-src ${gateway.base}/settings/ ${gateway.base.replace('http:', 'https:')}/settings/; ` +
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY']);
  });

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
        '/settings/api/session',
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

  it('creates, lists and deletes keys of the signed-in user; the value is only in the first response', async () => {
    const cookie = await cookieOf();
    const unset = { expiresAt: null, scopes: null, lastUsedAt: null };
    const key = { id: 'k2', name: 'billing', createdAt: '2026-01-02T03:04:05.678Z', ...unset };
    const made = await page('POST', '/keys', { body: { name: ' billing ' }, headers: { cookie } });
    expect([made.status, made.json]).toEqual([201, { data: { ...key, value: 'weft_value2' } }]);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect((await page('GET', '/keys', { headers: { cookie } })).json).toEqual({
      data: [key],
    });
    expect(gateway.identity.callsOf('createApiKey')[0]?.userId).toBe('user-1');
    expect((await page('DELETE', '/keys/k2', { headers: { cookie } })).json).toEqual({ data: { success: true } });
    expect((await page('DELETE', '/keys/k2', { headers: { cookie } })).status).toBe(404);
    expect((await page('GET', '/keys', { headers: { cookie } })).json).toEqual({ data: [] });
  });

  it.each([
    ['GET', '/keys', undefined],
    ['POST', '/keys', { name: 'x' }],
    ['DELETE', '/keys/k1', undefined],
  ])('%s %s is 401 without a session, with an ended one, and with an API key', async (method, path, body) => {
    for (const headers of [
      {},
      { cookie: 'weft_session=unknown' },
      { cookie: 'weft_session=%E0%A4%A' },
      { 'x-svc-api-key': 'weft_owner' },
    ]) {
      const { status, json } = await page(method, path, { headers, body });
      expect([status, json.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    }
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
    expect((await page('GET', '/keys', { headers: { cookie } })).status).toBe(401);
    expect((await page('DELETE', '/session')).status).toBe(200);
  });

  it.each([
    ['POST', '/session', PERSON],
    ['POST', '/setup', { setupCode: 'x', ...PERSON }],
    ['POST', '/keys', { name: 'x' }],
    ['DELETE', '/keys/k1', undefined],
    ['DELETE', '/session', undefined],
  ])('%s %s is 403 from another site', async (method, path, body) => {
    const cookie = await cookieOf();
    const before = gateway.identity.seen.length;
    const foreign = await page(method, path, { body, headers: { cookie, origin: 'https://evil.example' } });
    const opaque = await page(method, path, { body, headers: { cookie, origin: 'null' } });
    const byForm = await gateway.ask(method, `/settings/api${path}`, { body, headers: { cookie } });
    expect([foreign.status, opaque.status, byForm.status]).toEqual([403, 403, 403]);
    expect(gateway.identity.seen).toHaveLength(before);
    expect((await page(method, path, { body, headers: { cookie, origin: gateway.base } })).status).not.toBe(403);
  });

  it('is 400 for invalid bodies, and reports unknown paths', async () => {
    const cookie = await cookieOf();
    for (const body of ['{', '[]', {}, { name: 7 }])
      expect((await page('POST', '/keys', { body, headers: { cookie } })).status).toBe(400);
    for (const body of [{}, { email: PERSON.email }, { email: 1, password: 2 }])
      expect((await page('POST', '/session', { body })).status).toBe(400);
    for (const path of [
      '/settings/nothing',
      '/settings/api/keys/x/y',
      '/settings/../package.json',
      '/settings/%2e%2e/package.json',
    ]) {
      const { status, json } = await gateway.ask('GET', path);
      expect([status, Object.keys(json)]).toEqual([expect.any(Number), ['error']]);
    }
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
    expect((await page('GET', '/keys', { headers: { cookie: 'weft_session=session1' } })).status).toBe(200);
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

  it('gives no access to the API: sessions are only for this page', async () => {
    const cookie = await cookieOf();
    expect((await gateway.ask('GET', '/api/v1/workflows', { headers: { cookie } })).status).toBe(401);
  });
});

describe('the settings page behind https', () => {
  const start = gatewaysOfEachTest();

  it('marks its cookie Secure', async () => {
    const gateway = await start({ TRUST_PROXY: '1' });
    const { headers } = await gateway.ask('POST', '/settings/api/session', {
      body: PERSON,
      headers: { ...PAGE, 'x-forwarded-proto': 'https' },
    });
    expect(headers.getSetCookie()[0]).toMatch(/; Secure$/);
  });
});
