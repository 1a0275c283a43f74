import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONSOLE_HEADER } from '../../src/console/session';
import { readConsoleFiles } from '../../src/console/console-files';
import { ROUTES } from '../../src/handlers/routes';
import { KEYS, PERSON } from '../peers/identity';
import { executionOf } from '../peers/executions';
import { gatewaysOfEachTest, startGateway, type Ask, type TestGateway } from '../support/start-gateway';

const PAGE = { [CONSOLE_HEADER]: '1' };

describe('the console', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', executionOf('e1'));
  });
  afterEach(() => gateway.stop());

  const signIn = async (): Promise<string> => {
    const { headers } = await gateway.ask('POST', '/console/api/session', { headers: PAGE, body: PERSON });
    return headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const as = (cookie: string, method: string, path: string, { headers, ...rest }: Ask = {}) =>
    gateway.ask(method, `/console/api/v1${path}`, { ...rest, headers: { cookie, ...PAGE, ...headers } });

  it('is where the root leads', async () => {
    const { status, headers } = await gateway.ask('GET', '/');
    expect([status, headers.get('location')]).toEqual([302, '/console/']);
  });

  it.each(['/console/', '/console/executions/e1', '/console/any/screen'])(
    'serves its page at %s, to be checked again each time',
    async (path) => {
      const { status, headers, text } = await gateway.ask('GET', path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('<div id="root">');
      expect(headers.get('cache-control')).toBe('no-cache');
      const again = await gateway.ask('GET', path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  it('allows its scripts and styles alone, in no frame', async () => {
    const { headers } = await gateway.ask('GET', '/console/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types weft-worker",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('serves assets that browsers may keep, compressed', async () => {
    const { text } = await gateway.ask('GET', '/console/');
    const script = /src="(\/console\/assets\/main-[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const { status, headers } = await gateway.ask('GET', script, { headers: { 'accept-encoding': 'br' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each(['/console/assets/none.js', '/console/manifest.json', '/console/..%2f..%2fpackage.json'])(
    'has nothing at %s',
    async (path) => expect((await gateway.ask('GET', path)).status).toBe(404),
  );

  it('signs in with a cookie that scripts cannot read', async () => {
    const { status, json, headers, text } = await gateway.ask('POST', '/console/api/session', {
      headers: PAGE,
      body: PERSON,
    });
    expect([status, json]).toEqual([200, { data: { id: 'user-1', email: PERSON.email, role: 'owner' } }]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^weft_session=session1; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=3\d\d\d$/),
      expect.stringMatching(/^weft_session=session1; Path=\/settings; HttpOnly; SameSite=Strict; Max-Age=3\d\d\d$/),
    ]);
    expect(text).not.toContain('session1');
  });

  it('calls the API with the session, as the person who is signed in', async () => {
    const cookie = await signIn();
    const { status, json } = await as(cookie, 'GET', '/executions/e1?includeData=false');
    expect([status, json.data]).toMatchObject([200, { id: 'e1' }]);
    expect(gateway.executions.callsOf('getExecution')[0]).toMatchObject({ userId: 'user-1' });
  });

  it('refuses every route without a session, whatever key is sent', async () => {
    const faults: string[] = [];
    for (const { method, path } of ROUTES) {
      const at = `/console/api/v1${path.replace(/:\w+/g, 'x')}`;
      const { status } = await gateway.ask(method, at, { headers: { ...PAGE, 'x-svc-api-key': KEYS.owner } });
      if (status !== 401) faults.push(`${method} ${at}: ${status}`);
    }
    expect(faults).toEqual([]);
  });

  it('ends with the session: the next request is refused', async () => {
    const cookie = await signIn();
    const { headers } = await gateway.ask('DELETE', '/console/api/session', { headers: { ...PAGE, cookie } });
    expect(headers.getSetCookie().every((line) => line.includes('Max-Age=0'))).toBe(true);
    expect((await as(cookie, 'GET', '/me')).status).toBe(401);
  });

  it('changes the password of the signed-in person, whose browser gets another session', async () => {
    const cookie = await signIn();
    const put = (body: unknown, headers: Readonly<Record<string, string>> = { ...PAGE, cookie }) =>
      gateway.ask('PUT', '/console/api/password', { headers, body });
    const passwords = { currentPassword: PERSON.password, newPassword: 'another long password' };
    expect((await put(passwords, PAGE)).status).toBe(401);
    expect((await put(passwords, { cookie })).status).toBe(403);
    expect((await put({ newPassword: 'x' })).status).toBe(400);
    expect(gateway.identity.callsOf('changePassword')).toEqual([]);
    const { status, headers, text } = await put(passwords);
    expect([status, text.includes('session2')]).toEqual([200, false]);
    const next = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect([(await as(cookie, 'GET', '/me')).status, (await as(next, 'GET', '/me')).status]).toEqual([401, 200]);
  });

  it('changes nothing for another page: without its header, or from another origin', async () => {
    const cookie = await signIn();
    const without = await gateway.ask('DELETE', '/console/api/v1/executions/e1', { headers: { cookie } });
    const foreign = await as(cookie, 'DELETE', '/executions/e1', { headers: { origin: 'https://evil.example' } });
    expect([without.status, foreign.status]).toEqual([403, 403]);
    expect(gateway.executions.callsOf('deleteExecution')).toEqual([]);
    expect((await as(cookie, 'DELETE', '/executions/e1', { headers: { origin: gateway.base } })).status).toBe(200);
  });

  it('lets other sites read nothing, and follow no events', async () => {
    const cookie = await signIn();
    for (const path of ['/me', '/executions/e1/events'])
      expect((await as(cookie, 'GET', path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });

  it('counts the requests of a session, and refuses more than its limit', async () => {
    const cookie = await signIn();
    gateway.identity.sessionWindow.limit = 2;
    const replies = [await as(cookie, 'GET', '/me'), await as(cookie, 'GET', '/me'), await as(cookie, 'GET', '/me')];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[0]?.headers.get('x-ratelimit-limit')).toBe('2');
  });

  it('tells open pages which build is current', async () => {
    const page = /name="weft-build" content="(\w+)"/.exec((await gateway.ask('GET', '/console/')).text)?.[1];
    const { headers } = await as(await signIn(), 'GET', '/me');
    expect(headers.get('x-weft-console-build')).toMatch(/^[0-9a-f]{16}$/);
    expect(page).toBe(headers.get('x-weft-console-build'));
  });
});

describe('a gateway without the console', () => {
  const start = gatewaysOfEachTest();

  it('serves none with CONSOLE=off, and leads to the reference', async () => {
    const gateway = await start({ CONSOLE: 'off' });
    expect((await gateway.ask('GET', '/')).headers.get('location')).toBe('/docs/');
    expect((await gateway.ask('GET', '/console/')).status).toBe(404);
    expect((await gateway.ask('GET', '/console/api/v1/me', { headers: PAGE })).status).toBe(404);
  });
});

describe('the files of the console', () => {
  it.each([
    ['is missing', undefined],
    ['is not JSON', 'x'],
    ['lacks the page', '{"build":"b","files":[]}'],
  ])('stop the start if the manifest %s, and say how to build them', (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-console-'));
    const manifest = join(folder, 'manifest.json');
    try {
      if (text !== undefined) writeFileSync(manifest, text);
      expect(() => readConsoleFiles(manifest)).toThrow(/The console is not built .*npm run build.*CONSOLE=off/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('come with the licences of all that is bundled', () => {
    const folder = join(require.resolve('@weft/console/dist/app/manifest.json'), '..');
    const text = readFileSync(join(folder, 'licences.txt'), 'utf8');
    for (const name of ['react ', 'react-dom ', '@xyflow/react ', '@base-ui/react ', '@tanstack/react-query '])
      expect(text).toMatch(new RegExp(`^${name}`, 'm'));
  });
});
