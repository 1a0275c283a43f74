import type { WebhookSettings } from '@weft/proto/channels';
import { Unavailable } from '@weft/service-kit/errors';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type Ask, type TestGateway } from '../support/start-gateway';
import { bodyOf, inputOf, startsOf } from '../support/webhook-calls';

describe('/webhook/<path>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterEach(() => gateway.stop());

  const post = (params: Ask = {}, path = 'hook') => gateway.ask('POST', `/webhook/${path}`, params);
  const started = () => startsOf(gateway);
  const input = () => inputOf(gateway);

  describe('settings of the node', () => {
    const set = (settings: Partial<WebhookSettings>) =>
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, settings));

    it('declares text as UTF-8, whatever is set in the node', async () => {
      const text = { responseText: 'ü', responseContentType: 'text/plain; charset=iso-8859-1' };
      set(text);
      expect((await post()).headers.get('content-type')).toBe('text/plain; charset=utf-8');
      set({ ...text, responseHeaders: [{ name: 'Content-Type', value: 'text/csv; header=present; charset=x' }] });
      expect((await post()).headers.get('content-type')).toBe('text/csv; header=present; charset=utf-8');
    });

    it('responds with the configured text, code and headers, but never with a forbidden header', async () => {
      set({
        responseCode: 202,
        responseText: '<b>ok</b>',
        responseHeaders: [
          { name: 'X-Mine', value: '1' },
          { name: 'Content-Type', value: 'text/css' },
          { name: 'Content-Security-Policy', value: 'none' },
          { name: 'Set-Cookie', value: 'weft_session=stolen' },
          { name: 'Set-Cookie', value: 'weft_sign_in=state.nonce.verifier; Path=/' },
          { name: 'Set-Cookie', value: '__Host-Weft_session=stolen; Secure; Path=/' },
          { name: 'Use-As-Dictionary', value: 'match="/*"' },
          { name: 'Accept-CH', value: 'Sec-CH-UA-Model' },
          { name: 'Set-Cookie', value: ' Weft_Session =x' },
          { name: 'Set-Cookie', value: '=weft_session=x' },
          { name: 'Set-Cookie', value: 'weft_session' },
          { name: 'Set-Cookie', value: 'bomb=x; Path=/settings' },
          { name: 'Set-Cookie', value: 'bomb=x; Path=/console/api' },
          { name: 'Set-Cookie', value: 'bomb=x; Secure ; PATH = /settings/api' },
          { name: 'Strict-Transport-Security', value: 'max-age=1' },
          { name: 'Clear-Site-Data', value: '"*"' },
          { name: 'Set-Cookie', value: 'mine=1' },
          { name: 'bad name', value: 'x' },
          { name: 'X-Bad', value: 'a\r\nb: c' },
          { name: 'Transfer-Encoding', value: 'chunked' },
        ],
      });
      const { status, text, headers } = await post();
      expect([
        status,
        text,
        headers.get('x-mine'),
        headers.get('content-type'),
        headers.get('content-security-policy'),
        headers.getSetCookie(),
      ]).toEqual([202, '<b>ok</b>', '1', 'text/css; charset=utf-8', 'sandbox allow-scripts allow-forms', ['mine=1']]);
      expect(
        [
          'x-bad',
          'b',
          'strict-transport-security',
          'clear-site-data',
          'transfer-encoding',
          'use-as-dictionary',
          'accept-ch',
        ].filter((name) => headers.has(name)),
      ).toEqual([]);
    });

    it('responds without a body if configured', async () => {
      set({ noResponseBody: true });
      expect(await post()).toMatchObject({ status: 200, text: '' });
      set({ responseCode: 204 });
      expect(await post()).toMatchObject({ status: 204, text: '' });
    });

    it('admits only listed addresses', async () => {
      set({ callers: callerRules({ ipWhitelist: ['10.0.0.0/8', '192.168.1.7'] }) });
      const { status, json } = await post({ headers: { 'x-forwarded-for': '10.1.1.1' } });
      expect([status, json.error?.code]).toEqual([403, 'FORBIDDEN']);
      set({ callers: callerRules({ ipWhitelist: ['127.0.0.0/8'] }) });
      expect((await post()).status).toBe(200);
    });

    it('refuses crawlers if configured', async () => {
      set({ callers: callerRules({ ignoreBots: true }) });
      expect((await post({ headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } })).status).toBe(403);
      expect((await post({ headers: { 'user-agent': 'curl/8' } })).status).toBe(200);
    });

    it('authenticates the caller at the credentials service before it reads the body', async () => {
      set({ callers: callerRules({ authentication: 'jwtAuth', credentialId: 'c1' }) });
      gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: '' };
      expect((await post({ body: '{', headers: { authorization: 'Bearer x' } })).status).toBe(403);
      gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 401, claimsJson: '', secretHeader: '' };
      expect((await post({ body: '{' })).status).toBe(401);
      expect(gateway.credentials.callsOf('verifyWebhookAuth')[0]?.request).toMatchObject({
        authentication: 'jwtAuth',
        credentialId: 'c1',
        ownerId: 'owner',
        headers: expect.arrayContaining([{ name: 'authorization', value: 'Bearer x' }]),
      });
      gateway.credentials.told.webhookAuth = {
        granted: true,
        refusalStatus: 0,
        claimsJson: '{"sub":"me"}',
        secretHeader: 'authorization',
      };
      expect((await post({ body: {}, headers: { authorization: 'Bearer secret' } })).status).toBe(200);
      expect(input()).toMatchObject([{ json: { jwtPayload: { sub: 'me' } } }]);
      expect(JSON.stringify(input())).not.toContain('secret');
    });

    it('reads a signed body if its headers are valid, and starts nothing unless the signature matches', async () => {
      set({ callers: callerRules({ authentication: 'signature', credentialId: 'c1' }) });
      const told = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: 'x-hub-signature-256' };
      const headers = { 'x-hub-signature-256': 'sha256=ab' };
      gateway.credentials.told.webhookAuth = told;
      expect((await post({ body: '{"a":1}', headers })).status).toBe(403);
      gateway.credentials.told.webhookAuth = { ...told, needsBody: true };
      expect((await post({ body: ' {"a":1}', headers })).status).toBe(403);
      expect([startsOf(gateway), gateway.credentials.callsOf('verifyWebhookAuth').map(bodyOf)]).toEqual([
        [],
        [undefined, undefined, ' {"a":1}'],
      ]);
      gateway.credentials.told.signedBody = { ...told, granted: true };
      expect((await post({ body: ' {"a":1}', headers })).status).toBe(200);
      expect(input()).toMatchObject([{ json: { body: { a: 1 } } }]);
      expect(JSON.stringify(input())).not.toContain('sha256=ab');
    });

    it('refuses a signed body with files, which is never completely in memory', async () => {
      set({ callers: callerRules({ authentication: 'signature', credentialId: 'c1' }) });
      gateway.credentials.told.webhookAuth = {
        granted: false,
        refusalStatus: 403,
        claimsJson: '',
        secretHeader: '',
        needsBody: true,
      };
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      expect((await post({ body: '--x--', headers })).status).toBe(400);
    });

    it('omits only the header with the secret from the run', async () => {
      set({ callers: callerRules({ authentication: 'headerAuth', credentialId: 'c1' }) });
      gateway.credentials.told.webhookAuth = {
        granted: true,
        refusalStatus: 0,
        claimsJson: '',
        secretHeader: 'x-hook-key',
      };
      expect(
        (
          await post({
            body: {},
            headers: { 'X-Hook-Key': 'planted secret', 'x-hook-key-id': 'seven', authorization: 'Bearer other' },
          })
        ).status,
      ).toBe(200);
      expect(input()).toMatchObject([
        { json: { headers: { 'x-hook-key-id': 'seven', authorization: 'Bearer other' } } },
      ]);
      expect(JSON.stringify(input())).not.toContain('planted secret');
    });

    it('requests Basic by the standard header, and is 503 if the caller cannot be checked', async () => {
      set({ callers: callerRules({ authentication: 'basicAuth', credentialId: 'c1' }) });
      gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 401, claimsJson: '', secretHeader: '' };
      expect((await post()).headers.get('www-authenticate')).toBe('Basic realm="webhook"');
      gateway.credentials.fail('verifyWebhookAuth', new Unavailable('Away.'));
      expect((await post()).status).toBe(503);
      expect(started()).toEqual([]);
    });

    it('admits no caller if the settings have no rules for callers', async () => {
      for (const callers of [callerRules({ authentication: '' }), undefined]) {
        set({ callers });
        expect((await post()).status).toBe(500);
      }
      expect(started()).toEqual([]);
    });

    it('answers preflight requests, and lets the allowed origins read the response', async () => {
      set({ allowedOrigins: ['https://a.example', 'https://b.example'] });
      const preflight = (origin: string) =>
        gateway.ask('OPTIONS', '/webhook/hook', {
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'x-one, content-type',
          },
        });
      const allowed = await preflight('https://b.example');
      expect([
        allowed.status,
        allowed.headers.get('access-control-allow-origin'),
        allowed.headers.get('access-control-allow-methods'),
        allowed.headers.get('access-control-allow-headers'),
      ]).toEqual([204, 'https://b.example', 'POST', 'x-one, content-type']);
      expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
      expect(
        (await post({ headers: { origin: 'https://a.example' } })).headers.get('access-control-allow-origin'),
      ).toBe('https://a.example');
      set({});
      expect(
        (await post({ headers: { origin: 'https://x.example' } })).headers.get('access-control-allow-origin'),
      ).toBe('*');
      expect(gateway.executions.callsOf('startExecutions')).toHaveLength(2);
    });
  });
});
