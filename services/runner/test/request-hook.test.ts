import type { OutboundHttp } from '@weft/outbound';
import { HookRequestAction, ProbeServiceService, type RequestHookRequest } from '@weft/proto/probes';
import { bindService, createCaller } from '@weft/service-kit/grpc';
import { closeAfterEach, makeTestKeys, startFakePeer } from '@weft/service-kit/testing';
import { PROBE_ACCESS } from '../src/handlers/access';
import { createRequestHook } from '../src/handlers/request-hook';

const later = closeAfterEach();
const keys = makeTestKeys(['credentials', 'gateway', 'runner']);
const REQUEST: RequestHookRequest = {
  action: HookRequestAction.HOOK_REQUEST_ACTION_REGISTER,
  kind: 'telegramTrigger',
  version: 1.2,
  parametersJson: '{"updates":["message"]}',
  credentialType: 'telegramApi',
  dataJson: '{"accessToken":"123:s3cret-word"}',
  url: 'https://weft.example/webhook/h/webhook',
  secret: 'hook-secret',
  keptJson: '',
  ownerId: 'u1',
};

/** Telegram, which keeps the requests of one bot waiting. */
const telegram = (answer: object = { ok: true, result: true }, status = 200) => {
  const sent: { url: string; body: string }[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const http: OutboundHttp = {
    request: async ({ url, body }) => {
      sent.push({ url, body: String(body) });
      if (url.includes('hostile')) await held;
      return { status, statusText: '', headers: {}, body: Buffer.from(JSON.stringify(answer)), url };
    },
  };
  return { http, sent, release: () => release() };
};

const serve = async (http: OutboundHttp) => {
  const notTested = () => Promise.reject(new Error('Not part of this test.'));
  const requestHook = createRequestHook({ http }, { all: 4, each: 2, waiting: 4, eachWaiting: 2, waitMs: 50 });
  const handlers = { probeCredential: notTested, requestTokens: notTested, listOptions: notTested, requestHook };
  const services = [bindService(ProbeServiceService, handlers, PROBE_ACCESS)];
  const peer = await startFakePeer({ name: 'runner', publicKeys: keys.publicKeys, services });
  later(peer, (open) => open.stop());
  const { calls, close } = createCaller(ProbeServiceService, {
    service: 'runner',
    target: peer.target,
    sign: keys.signerOf('credentials'),
  });
  later(close, (end) => end());
  return calls.requestHook;
};

describe('RequestHook', () => {
  it('registers the trigger with its service', async () => {
    const { http, sent } = telegram();
    const { outcome } = await (await serve(http))(REQUEST);
    expect(outcome).toEqual({ $case: 'done', value: { valid: true, keptJson: '' } });
    expect(sent[0]?.url).toBe('https://api.telegram.org/bot123:s3cret-word/setWebhook');
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      url: REQUEST.url,
      secret_token: 'hook-secret',
      allowed_updates: ['message'],
      drop_pending_updates: false,
    });
  });

  it('reports a refusal with the message of the service and without secrets', async () => {
    const description = 'Unauthorized: 123:s3cret-word';
    const { outcome } = await (await serve(telegram({ ok: false, description }, 401).http))(REQUEST);
    expect(outcome).toMatchObject({ $case: 'refused', value: { certain: true } });
    expect(JSON.stringify(outcome)).toContain('Unauthorized');
    expect(JSON.stringify(outcome)).not.toContain('s3cret-word');
  });

  it('refuses kinds that receive no calls, unknown actions, and parameters that are not a JSON object', async () => {
    const ask = await serve(telegram().http);
    for (const over of [
      { kind: 'telegram' },
      { kind: 'nothing' },
      { action: HookRequestAction.HOOK_REQUEST_ACTION_UNSPECIFIED },
      { parametersJson: '[]' },
      { keptJson: '{' },
    ])
      await expect(ask({ ...REQUEST, ...over })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('gives an owner whose service hangs two requests at once, and serves others meanwhile', async () => {
    const { http, sent, release } = telegram();
    const ask = await serve(http);
    const hostile = { ...REQUEST, ownerId: 'hostile', dataJson: '{"accessToken":"hostile"}' };
    const first = [ask(hostile), ask(hostile)];
    while (sent.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(ask(hostile)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect((await ask(REQUEST)).outcome).toMatchObject({ $case: 'done' });
    release();
    await Promise.all(first);
  });
});
