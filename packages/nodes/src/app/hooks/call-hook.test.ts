import type { AppDocument, AppWebhook } from '@weft/app-model';
import { kindsOf } from '@weft/app-model/check';
import type { SeenRequest } from '@weft/outbound/testing';
import { callHook, type HookRequest, type HookResult, MAX_KEPT_BYTES } from './call-hook';
import { type ServiceAnswer, testService } from '../testing/test-service';

const TOKEN = 'sk-very-secret-value';
const SECRET = 'secret-of-the-hook';
const URL = 'https://weft.example/webhook/w1/webhook';

describe('a request about the webhook of a trigger', () => {
  let requests: SeenRequest[];
  let answer: (seen: SeenRequest) => ServiceAnswer | undefined;
  const server = testService((seen) => {
    requests.push(seen);
    return answer(seen);
  });
  beforeEach(() => {
    requests = [];
    answer = () => ({ body: { ok: true, id: 7 } });
  });

  const appWith = (webhook: Partial<AppWebhook>): AppDocument => ({
    weftApp: 1,
    name: 'test',
    label: 'Test',
    hosts: ['127.0.0.1'],
    credentials: { httpBearerAuth: 'catalogue' },
    calls: {
      api: {
        url: server.url,
        method: 'POST',
        failed: '={{ !$response.body.ok }}',
        errors: [{ message: '={{ $response.body.why }}' }],
      },
    },
    kinds: {
      testTrigger: {
        label: 'Test',
        description: 'Test.',
        versions: [1, 2],
        groups: ['trigger'],
        credentials: [{ type: 'httpBearerAuth' }],
        parameters: [{ name: 'event', label: 'Event', type: 'string', default: 'any' }],
        webhook: {
          path: 'webhook',
          verify: { header: 'x-secret', equals: 'secret' },
          items: '={{ [$request.body] }}',
          register: {
            call: 'api',
            path: '/hooks',
            body: { url: '={{ $hook.url }}', secret: '={{ $hook.secret }}', event: '={{ $p.event }}' },
            keep: { id: '={{ $response.body.id }}' },
          },
          check: { call: 'api', method: 'GET', path: '/hooks', valid: '={{ $response.body.url === $hook.url }}' },
          remove: { call: 'api', method: 'DELETE', path: "={{ '/hooks/' + $hook.kept?.id }}" },
          ...webhook,
        },
      },
    },
  });
  const ask = (
    over: Partial<HookRequest> = {},
    webhook: Partial<AppWebhook> = {},
    ms?: number,
  ): Promise<HookResult> => {
    const app = appWith(webhook);
    const [descriptor] = kindsOf(app);
    if (descriptor === undefined) throw new Error('no kind');
    const request: HookRequest = {
      action: 'register',
      version: 2,
      parameters: {},
      credential: { type: 'httpBearerAuth', data: { token: TOKEN } },
      url: URL,
      secret: SECRET,
      kept: null,
      ...over,
    };
    const ports = { http: server.client, now: () => 0, sleep: () => Promise.resolve() };
    return callHook({ app, descriptor }, request, ports, new AbortController().signal, ms);
  };

  it('registers the address with the secret and the parameters, and keeps the id of the service', async () => {
    expect(await ask({ parameters: { event: 'paid' } })).toEqual({ kind: 'done', isValid: true, kept: { id: 7 } });
    expect(requests).toMatchObject([{ method: 'POST', path: '/hooks', headers: { authorization: `Bearer ${TOKEN}` } }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ url: URL, secret: SECRET, event: 'paid' });
  });

  it('takes parameters with expressions for not set', async () => {
    await ask({ parameters: { event: '={{ $json.event }}' } });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ event: 'any' });
  });

  it('finds out whether the service still calls the address', async () => {
    answer = () => ({ body: { ok: true, url: URL } });
    expect(await ask({ action: 'check' })).toMatchObject({ kind: 'done', isValid: true });
    answer = () => ({ body: { ok: true, url: 'https://elsewhere.example/' } });
    expect(await ask({ action: 'check' })).toMatchObject({ kind: 'done', isValid: false });
  });

  it('removes what an earlier registration kept', async () => {
    await ask({ action: 'remove', kept: { id: 7 } });
    expect(requests).toMatchObject([{ method: 'DELETE', path: '/hooks/7' }]);
  });

  it('makes several requests, each of which may depend on those before it', async () => {
    answer = ({ method }) => ({ body: method === 'GET' ? { ok: true, all: [] } : { ok: true, id: 9 } });
    const steps = [
      { as: 'all', call: 'api', method: 'GET' as const, path: '/all' },
      { as: 'made', when: '={{ $steps.all.body.all.length === 0 }}', call: 'api', path: '/make' },
    ];
    const register = { steps, keep: '={{ $steps.made.body.id }}' };
    expect(await ask({}, { register })).toMatchObject({ kind: 'done', kept: 9 });
    expect(requests.map(({ path }) => path)).toEqual(['/all', '/make']);
  });

  it('needs no request for a service at which people enter the address', async () => {
    const app = appWith({});
    const kind = app.kinds['testTrigger'];
    if (kind?.webhook === undefined) throw new Error('no webhook');
    const { check: _check, remove: _remove, register: _own, ...webhook } = kind.webhook;
    const manual: AppDocument = { ...app, kinds: { testTrigger: { ...kind, webhook } } };
    const [descriptor] = kindsOf(manual);
    if (descriptor === undefined) throw new Error('no kind');
    const request = {
      action: 'register',
      version: 1,
      parameters: {},
      credential: undefined,
      url: URL,
      secret: SECRET,
    } as const;
    const ports = { http: server.client, now: () => 0, sleep: () => Promise.resolve() };
    const signal = new AbortController().signal;
    expect(await callHook({ app: manual, descriptor }, { ...request, kept: null }, ports, signal)).toEqual({
      kind: 'done',
      isValid: true,
      kept: undefined,
    });
    expect(requests).toEqual([]);
  });

  it('reports a refusal with the message of the service, without secrets, as certain', async () => {
    answer = () => ({ body: { ok: false, why: `No such bot: ${TOKEN} ${SECRET}` } });
    const result = await ask();
    expect(result).toMatchObject({ kind: 'refused', isCertain: true });
    expect(JSON.stringify(result)).toContain('No such bot');
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${TOKEN}|${SECRET}`));
  });

  it.each<[string, ServiceAnswer]>([
    ['a failure of the service', { status: 500, body: {} }],
    ['an answer that is not JSON', { body: '<html>' }],
    ['an answer of 10 MB', { body: JSON.stringify({ ok: true, text: 'x'.repeat(10_000_000) }) }],
    ['an id that is too long', { body: { ok: true, id: 'x'.repeat(MAX_KEPT_BYTES) } }],
    ['a redirect to another host', { status: 307, headers: { location: 'http://localhost:1/' }, body: {} }],
    ['a redirect to a private address', { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: {} }],
  ])('takes %s for a refusal that may have had an effect', async (_, given) => {
    answer = () => given;
    expect(await ask()).toMatchObject({ kind: 'refused', isCertain: false });
    expect(requests).toHaveLength(1);
  });

  it('gives up on a service that does not answer, while another one answers', async () => {
    answer = ({ method }) => (method === 'POST' ? undefined : { body: { ok: true, url: URL } });
    const [hanging, healthy] = await Promise.all([ask({}, {}, 300), ask({ action: 'check' }, {}, 300)]);
    expect(hanging).toEqual({ kind: 'refused', message: 'Test did not answer within 0.3 s.', isCertain: false });
    expect(healthy).toMatchObject({ kind: 'done', isValid: true });
  });
});
