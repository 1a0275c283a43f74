import type { Json, JsonObject } from '@weft/node-catalogue';
import {
  type HookAnswer as Answer,
  requestHook as call,
  type SentByHook as Sent,
  URL_OF_HOOK,
} from '../testing/request-hook';

it('a kind that receives no calls has no hook', async () => {
  const credential = { type: 'telegramApi', data: { accessToken: '1:a' } };
  expect((await call('telegram', 'register', credential, () => ({ body: {} }))).result).toBeUndefined();
  expect((await call('gmailTrigger', 'register', credential, () => ({ body: {} }))).result).toBeUndefined();
});

describe('the hook of a Telegram trigger', () => {
  const credential = { type: 'telegramApi', data: { accessToken: '1:a' } };

  it('has all updates with an asterisk, and is one of the bot', async () => {
    const answer: Answer = () => ({ body: { ok: true, result: true } });
    const { sent } = await call('telegramTrigger', 'register', credential, answer, { parameters: { updates: ['*'] } });
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ allowed_updates: [], secret_token: 's3cret' });
    const removed = await call('telegramTrigger', 'remove', credential, answer);
    expect(removed.sent).toMatchObject([{ path: '/bot1:a/deleteWebhook' }]);
  });

  it('is not valid if the bot has another one, or none', async () => {
    const check = async (url: string) =>
      (await call('telegramTrigger', 'check', credential, () => ({ body: { ok: true, result: { url } } }))).result;
    expect(await check(URL_OF_HOOK)).toMatchObject({ isValid: true });
    expect(await check('')).toMatchObject({ isValid: false });
  });
});

describe('the hook of a WhatsApp trigger', () => {
  const credential = { type: 'whatsAppTriggerApi', data: { clientId: '77', clientSecret: 'app' } };
  const parameters = { updates: ['messages', 'security'] };

  it('is a subscription of the Meta app, with the secret as its verify token', async () => {
    const { result, sent } = await call(
      'whatsAppTrigger',
      'register',
      credential,
      () => ({ body: { success: true } }),
      {
        parameters,
      },
    );
    expect(result).toMatchObject({ kind: 'done' });
    expect(sent).toMatchObject([{ method: 'POST', path: '/v19.0/77/subscriptions' }]);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      object: 'whatsapp_business_account',
      callback_url: URL_OF_HOOK,
      verify_token: 's3cret',
      fields: '["messages","security"]',
      include_values: true,
    });
  });

  it('is valid only with its address and its events', async () => {
    const check = async (subscription: object) => {
      const data = [{ object: 'whatsapp_business_account', active: true, callback_url: URL_OF_HOOK, ...subscription }];
      return (await call('whatsAppTrigger', 'check', credential, () => ({ body: { data } }), { parameters })).result;
    };
    expect(await check({ fields: [{ name: 'security' }, { name: 'messages' }] })).toMatchObject({ isValid: true });
    expect(await check({ fields: [{ name: 'messages' }] })).toMatchObject({ isValid: false });
    expect(await check({ fields: [], callback_url: 'https://elsewhere.example' })).toMatchObject({ isValid: false });
  });

  it('is refused with the message of Meta', async () => {
    const error = { message: '(#2200) Callback verification failed' };
    const { result } = await call('whatsAppTrigger', 'register', credential, () => ({ status: 400, body: { error } }), {
      parameters,
    });
    expect(result).toMatchObject({ kind: 'refused', message: expect.stringContaining('Callback verification failed') });
  });
});

describe('the hook of a Twilio trigger', () => {
  const credential = { type: 'twilioApi', data: { authType: 'authToken', accountSid: 'AC1', authToken: 't' } };
  const parameters = { updates: 'com.twilio.messaging.inbound-message.received' };

  /** Twilio's sinks and subscriptions. */
  const twilio = () => {
    const sinks: { sid: string; sink_configuration: { destination: string } }[] = [];
    const subscriptions: { sid: string; sink_sid: string; types: string }[] = [];
    let made = 0;
    const remove = (list: { sid: string }[], path: string): void => {
      const index = list.findIndex(({ sid }) => path.endsWith(`/${sid}`));
      list.splice(index, index < 0 ? 0 : 1);
    };
    const answer: Answer = ({ method, path, body }) => {
      const form = new URLSearchParams(body);
      const isSinks = path.startsWith('/v1/Sinks');
      if (method === 'GET') return { body: isSinks ? { sinks } : { subscriptions } };
      if (method === 'DELETE') remove(isSinks ? sinks : subscriptions, path);
      else if (isSinks)
        sinks.push({ sid: `DG${(made += 1)}`, sink_configuration: JSON.parse(form.get('SinkConfiguration') ?? '') });
      else
        subscriptions.push({
          sid: `DF${(made += 1)}`,
          sink_sid: form.get('SinkSid') ?? '',
          types: form.get('Types') ?? '',
        });
      return { body: { sid: (isSinks ? sinks : subscriptions).at(-1)?.sid } };
    };
    return { sinks, subscriptions, answer };
  };

  it('is one sink with one subscription, however often it is registered, and whatever its events', async () => {
    const { sinks, subscriptions, answer } = twilio();
    const register = (updates: string) =>
      call('twilioTrigger', 'register', credential, answer, { parameters: { updates } });
    await register('first');
    const { result } = await register('second');
    expect(sinks).toMatchObject([{ sink_configuration: { destination: URL_OF_HOOK, method: 'POST' } }]);
    expect(subscriptions).toMatchObject([{ sink_sid: sinks[0]?.sid, types: '[{"type":"second"}]' }]);
    expect(result).toMatchObject({ kept: { subscription: subscriptions[0]?.sid } });
    const kept = result?.kind === 'done' ? result.kept : undefined;
    const check = (known: Json) => call('twilioTrigger', 'check', credential, answer, { parameters, kept: known });
    expect((await check(kept ?? null)).result).toMatchObject({ isValid: true });
    expect((await check({ subscription: 'other' })).result).toMatchObject({ isValid: false });
  });

  it('leaves nothing behind, and can be removed twice', async () => {
    const { sinks, subscriptions, answer } = twilio();
    await call('twilioTrigger', 'register', credential, answer, { parameters });
    for (let time = 0; time < 2; time += 1)
      expect((await call('twilioTrigger', 'remove', credential, answer, { parameters })).result).toMatchObject({
        kind: 'done',
      });
    expect([...sinks, ...subscriptions]).toEqual([]);
  });

  it('is not removed for a credential that the trigger had before', async () => {
    const { sinks, subscriptions, answer } = twilio();
    const keptBy = async () => {
      const { result } = await call('twilioTrigger', 'register', credential, answer, { parameters });
      return result?.kind === 'done' ? (result.kept ?? null) : null;
    };
    const [former, next] = [await keptBy(), await keptBy()];
    await call('twilioTrigger', 'remove', credential, answer, { parameters, kept: former });
    const check = await call('twilioTrigger', 'check', credential, answer, { parameters, kept: next });
    expect(check.result).toMatchObject({ isValid: true });
    await call('twilioTrigger', 'remove', credential, answer, { parameters, kept: next });
    expect([...sinks, ...subscriptions]).toEqual([]);
  });
});

it('the hook of a Slack trigger needs no request', async () => {
  const credential = { type: 'slackApi', data: { accessToken: 'x' } };
  for (const action of ['register', 'check', 'remove'] as const) {
    const { result, sent } = await call('slackTrigger', action, credential, () => ({ body: {} }));
    expect([result, sent]).toMatchObject([{ kind: 'done', isValid: true }, []]);
  }
});

describe('the hook of a GitHub trigger', () => {
  const credential = { type: 'githubApi', data: { accessToken: 'token' } };
  const parameters = { owner: 'octo', repository: 'notes', events: ['push', 'issues'] };
  const own = { id: 7, active: true, events: ['issues', 'push'], config: { url: URL_OF_HOOK } };
  const other = { id: 6, active: true, events: ['push'], config: { url: 'https://other.example/' } };
  const withHooks =
    (...hooks: JsonObject[]): Answer =>
    ({ method }) => ({ body: method === 'GET' ? hooks : { id: method === 'POST' ? 8 : 7 } });
  const requests = ({ sent }: { readonly sent: readonly Sent[] }) =>
    sent.map(({ method, path }) => `${method} ${path}`);

  it('is created once, and then updated with its secret', async () => {
    const created = await call('githubTrigger', 'register', credential, withHooks(other), { parameters });
    expect(requests(created)).toEqual(['GET /repos/octo/notes/hooks?per_page=100', 'POST /repos/octo/notes/hooks']);
    const body = { active: true, events: ['push', 'issues'], config: { url: URL_OF_HOOK, secret: 's3cret' } };
    expect(JSON.parse(created.sent[1]?.body ?? '')).toMatchObject({ name: 'web', ...body });
    expect(created.result).toMatchObject({ kept: { hook: 8 } });
    const again = { parameters, kept: { hook: 7 } };
    const updated = await call('githubTrigger', 'register', credential, withHooks(other, own), again);
    expect(requests(updated).slice(1)).toEqual(['PATCH /repos/octo/notes/hooks/7']);
    expect(JSON.parse(updated.sent[1]?.body ?? '')).toMatchObject(body);
    expect(updated.result).toMatchObject({ kept: { hook: 7 } });
  });

  it('replaces one of a former credential, whose removal then leaves it alone', async () => {
    const replaced = await call('githubTrigger', 'register', credential, withHooks(own), { parameters });
    expect(requests(replaced).slice(1)).toEqual(['DELETE /repos/octo/notes/hooks/7', 'POST /repos/octo/notes/hooks']);
    const now = { ...own, id: 8 };
    const late = await call('githubTrigger', 'remove', credential, withHooks(now), { parameters, kept: { hook: 7 } });
    expect(requests(late)).toHaveLength(1);
  });

  it('is valid if it is active with the events of the trigger', async () => {
    const check = async (...hooks: JsonObject[]) =>
      (await call('githubTrigger', 'check', credential, withHooks(...hooks), { parameters, kept: { hook: 7 } })).result;
    expect(await check(other, own)).toMatchObject({ isValid: true });
    expect(await check(other)).toMatchObject({ isValid: false });
    expect(await check({ ...own, id: 8 })).toMatchObject({ isValid: false });
    expect(await check({ ...own, active: false })).toMatchObject({ isValid: false });
    expect(await check({ ...own, events: ['push'] })).toMatchObject({ isValid: false });
  });

  it('is removed, and no other one is', async () => {
    const removed = await call('githubTrigger', 'remove', credential, withHooks(other, own), { parameters });
    expect(requests(removed)[1]).toBe('DELETE /repos/octo/notes/hooks/7');
    const none = await call('githubTrigger', 'remove', credential, withHooks(other), { parameters });
    expect(none.sent).toHaveLength(1);
  });
});
