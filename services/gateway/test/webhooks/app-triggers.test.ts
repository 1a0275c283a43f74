import type { HookRules } from '@weft/proto/channels';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';
import { inputOf, startsOf } from '../support/webhook-calls';

const granted = { granted: true, refusalStatus: 0, claimsJson: '', secretHeader: 'x-secret' };
const wrong = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: '' };
const RULES: HookRules = {
  hookId: 'w1 hook/webhook c1',
  sealedSecret: 'sealed',
  scheme: 'header',
  header: 'x-secret',
  keyField: '',
  optional: false,
  handshake: '',
  credentialType: 'telegramApi',
};

describe('/webhook/<path> of the trigger of an app', () => {
  let gateway: TestGateway;
  const set = (rules: Partial<HookRules> = {}, method = 'POST') =>
    gateway.workflows.webhooks.set(
      `${method} hook/webhook`,
      webhookAt(
        {},
        { callers: callerRules({ authentication: 'hook', credentialId: 'c1' }), hook: { ...RULES, ...rules } },
      ),
    );
  const asked = () => gateway.credentials.seen.filter(({ method }) => method === 'verifyWebhookAuth');
  beforeEach(async () => {
    gateway = await startGateway({ PUBLIC_URL: 'https://weft.example' });
    set();
    gateway.credentials.told.webhookAuth = granted;
  });
  afterEach(() => gateway.stop());

  it('starts a run for a call that the credentials service admits, without its secret in the run data', async () => {
    const call = { headers: { 'x-secret': 's3cret' }, body: { update_id: 1 } };
    expect(await gateway.ask('POST', '/webhook/hook/webhook?a=1', call)).toMatchObject({ status: 200 });
    expect(asked()).toMatchObject([
      {
        request: {
          authentication: 'hook',
          credentialId: 'c1',
          hook: RULES,
          url: 'https://weft.example/webhook/hook/webhook?a=1',
        },
      },
    ]);
    expect(startsOf(gateway)).toHaveLength(1);
    expect(JSON.stringify(inputOf(gateway))).not.toContain('s3cret');
  });

  it('refuses any other call without a run', async () => {
    gateway.credentials.told.webhookAuth = wrong;
    expect(await gateway.ask('POST', '/webhook/hook/webhook', { body: {} })).toMatchObject({ status: 403 });
    expect(startsOf(gateway)).toEqual([]);
  });

  it('passes the called address on for a secret in it, which is not in the run data', async () => {
    set({ scheme: 'query', header: 'token' });
    await gateway.ask('POST', '/webhook/hook/webhook?a=1&token=s3cret', { body: {} });
    const url = 'https://weft.example/webhook/hook/webhook?a=1&token=s3cret';
    expect(asked()).toMatchObject([{ request: { url, hook: { scheme: 'query', header: 'token' } } }]);
    expect(JSON.stringify(inputOf(gateway))).not.toContain('s3cret');
    expect(inputOf(gateway)).toMatchObject([{ json: { query: { a: '1' } } }]);
  });

  describe('of Slack', () => {
    beforeEach(() => set({ handshake: 'slack', scheme: 'slack', keyField: 'signatureSecret' }));

    it('repeats the challenge of an admitted call, without a run', async () => {
      const body = { type: 'url_verification', challenge: 'abc<b>', token: 't' };
      const { status, json, headers } = await gateway.ask('POST', '/webhook/hook/webhook', { body });
      expect([status, json]).toEqual([200, { challenge: 'abc<b>' }]);
      expect(headers.get('content-type')).toContain('application/json');
      expect(startsOf(gateway)).toEqual([]);
      gateway.credentials.told.webhookAuth = wrong;
      expect(await gateway.ask('POST', '/webhook/hook/webhook', { body })).toMatchObject({ status: 403 });
    });

    it('starts a run for an event', async () => {
      await gateway.ask('POST', '/webhook/hook/webhook', { body: { type: 'event_callback', event: {} } });
      expect(startsOf(gateway)).toHaveLength(1);
    });
  });

  describe('of Meta', () => {
    beforeEach(() => {
      set({ handshake: 'meta', scheme: 'github', keyField: 'clientSecret' });
      set({ handshake: 'meta', scheme: 'github', keyField: 'clientSecret' }, 'GET');
    });
    const get = (query: string) => gateway.ask('GET', `/webhook/hook/webhook?${query}`);

    it('repeats the challenge of a request with the secret of the hook, as text', async () => {
      const { status, text, headers } = await get('hub.mode=subscribe&hub.challenge=%3Cb%3E1&hub.verify_token=s');
      expect([status, text, headers.get('content-type')]).toEqual([200, '<b>1', 'text/plain; charset=utf-8']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(asked()).toMatchObject([
        { request: { headers: [{ value: 's' }], hook: { scheme: 'header', sealedSecret: 'sealed' } } },
      ]);
      expect(startsOf(gateway)).toEqual([]);
    });

    it('refuses one with another token, or without a challenge', async () => {
      expect(await get('hub.mode=subscribe')).toMatchObject({ status: 403 });
      gateway.credentials.told.webhookAuth = wrong;
      expect(await get('hub.challenge=1&hub.verify_token=x')).toMatchObject({ status: 403 });
      expect(startsOf(gateway)).toEqual([]);
    });
  });
});
