import { isJsonObject } from '@weft/service-kit/json';
import { webhookAt } from '../peers/workflows';
import { rawRequest } from '../support/raw-request';
import { gatewaysOfEachTest } from '../support/start-gateway';

const HOST = 'hooks.example.net';

describe('WEBHOOK_HOST', () => {
  const start = gatewaysOfEachTest();
  const startSeparate = () => start({ WEBHOOK_HOST: `https://${HOST}/`, PUBLIC_URL: 'https://weft.example.com' });

  it('serves webhooks and nothing else, and is in their addresses', async () => {
    const gateway = await startSeparate();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
    const on = (path: string, host = HOST) => rawRequest(gateway.port, 'POST', path, { host });
    expect((await on('/webhook/hook')).status).toBe(200);
    const [call] = gateway.executions.callsOf('startExecutions');
    const starts = isJsonObject(call?.request) ? call.request['starts'] : undefined;
    const [first] = Array.isArray(starts) ? starts : [];
    expect(JSON.parse(String(isJsonObject(first) ? first['input'] : ''))).toMatchObject([
      { json: { webhookUrl: `https://${HOST}/webhook/hook` } },
    ]);
    for (const path of ['/', '/settings/', '/settings/api/session', '/api/v1/workflows', '/docs'])
      expect((await on(path)).status).toBe(404);
    expect((await rawRequest(gateway.port, 'GET', '/readyz', { host: HOST })).status).toBe(200);
  });

  it('leads callers of other hosts there, with method and query, and lets workflows decide nothing here', async () => {
    const gateway = await startSeparate();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
    const { status, headers, text } = await rawRequest(gateway.port, 'POST', '/webhook/hook?a=1', {
      host: 'weft.example.com',
    });
    expect([status, headers['location'], text]).toEqual([308, `https://${HOST}/webhook/hook?a=1`, '']);
    expect(gateway.executions.callsOf('startExecutions')).toEqual([]);
    expect((await gateway.api('GET', '/workflows')).status).toBe(200);
  });

  it('lets workflows set all headers but those between hops and cookies of the console', async () => {
    const gateway = await startSeparate();
    const headers = {
      'Content-Security-Policy': "default-src 'self'",
      'Set-Login': 'logged-in',
      'Strict-Transport-Security': 'max-age=1',
      'Some-Header': 'x',
      Connection: 'close',
      'Set-Cookie': '__Host-weft_session=stolen; Secure; Path=/',
    };
    const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
    gateway.workflows.webhooks.set(
      'GET hook',
      webhookAt({}, { responseHeaders: [...responseHeaders, { name: 'Set-Cookie', value: 'mine=1' }] }),
    );
    const answer = await rawRequest(gateway.port, 'GET', '/webhook/hook', { host: HOST });
    expect(answer.headers).toMatchObject({
      'content-security-policy': "default-src 'self'",
      'set-login': 'logged-in',
      'strict-transport-security': 'max-age=1',
      'some-header': 'x',
      'x-content-type-options': 'nosniff',
      'set-cookie': ['mine=1'],
    });
  });

  it('must be another host than that of the console', async () => {
    await expect(
      start({ WEBHOOK_HOST: 'https://weft.example.com', PUBLIC_URL: 'https://weft.example.com/' }),
    ).rejects.toThrow('WEBHOOK_HOST');
  });
});

describe('without WEBHOOK_HOST', () => {
  const start = gatewaysOfEachTest();

  it('workflows may set the headers that the operator permits', async () => {
    const gateway = await start({ WEBHOOK_RESPONSE_HEADERS: 'Set-Login, My-Header' });
    const responseHeaders = ['Set-Login', 'my-header', 'Accept-CH'].map((name) => ({ name, value: 'x' }));
    gateway.workflows.webhooks.set('GET hook', webhookAt({}, { responseHeaders }));
    const { headers } = await gateway.ask('GET', '/webhook/hook');
    expect(['set-login', 'my-header', 'accept-ch'].map((name) => headers.get(name))).toEqual(['x', 'x', null]);
  });
});
