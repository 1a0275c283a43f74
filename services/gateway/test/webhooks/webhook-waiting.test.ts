import { StartWait } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { until } from '@weft/service-kit/testing';
import { callerRules, formPage, webhookWait } from '../peers/ingress-settings';
import { executionOf } from '../peers/executions';
import { gatewaysOfEachTest, startGateway, type TestGateway } from '../support/start-gateway';

const TOKEN = 'k'.repeat(43);
const at = `/webhook-waiting/${TOKEN}`;

describe('/webhook-waiting', () => {
  const start = gatewaysOfEachTest();
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ TRUST_PROXY: '1' });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.executions.seen.length = 0;
    gateway.executions.told.answer = undefined;
  });
  const waits = (...settings: Parameters<typeof webhookWait>) =>
    gateway.executions.waits.set(TOKEN, { settings: webhookWait(...settings) });
  const post = (path = at, params: Parameters<TestGateway['ask']>[2] = {}) =>
    gateway.ask('POST', path, { body: { n: 1 }, ...params });
  const resumed = () => gateway.executions.callsOf('resumeExecution').map(({ request }) => request);

  it('resumes the run with the request as its item, without its secret address', async () => {
    waits();
    const { status, text, headers } = await post(`${at}?a=1&a=2`, { headers: { 'x-mine': 'yes' } });
    expect([status, text]).toEqual([200, '{"message":"Workflow was started"}']);
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
    expect(headers.get('x-weft-execution-id')).toEqual(expect.stringMatching(/./));
    expect(resumed()).toEqual([
      {
        resumeToken: TOKEN,
        generation: 3,
        wait: StartWait.START_WAIT_UNSPECIFIED,
        waitMs: 0,
        input: expect.any(Buffer),
      },
    ]);
    const items: unknown = JSON.parse(gateway.executions.told.resumedWith ?? '');
    expect(items).toEqual([
      {
        json: {
          headers: expect.objectContaining({ 'x-mine': 'yes' }),
          params: {},
          query: { a: ['1', '2'] },
          body: { n: 1 },
          executionMode: 'production',
        },
      },
    ]);
    expect(JSON.stringify(items)).not.toContain(TOKEN);
  });

  it('works once, and reports that to later callers', async () => {
    waits();
    const answers = await Promise.all([post(), post(), post()]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    gateway.executions.fail(
      'findWait',
      new ServiceError({ reason: 'EXECUTION_NOT_WAITING', kind: 'conflict', message: 'It no longer waits.' }),
    );
    const late = await post();
    gateway.executions.fail('findWait', undefined);
    expect([late.status, late.json.error?.details]).toEqual([409, { reason: 'EXECUTION_NOT_WAITING' }]);
  });

  it('holds a call that arrives before its run waits until the run waits', async () => {
    waits();
    gateway.executions.fail(
      'findWait',
      new ServiceError({ reason: 'EXECUTION_NOT_WAITING_YET', kind: 'conflict', message: 'Not yet.' }),
    );
    const early = post();
    await until('it is asked for again', async () => gateway.executions.callsOf('findWait').length > 2);
    expect(resumed()).toEqual([]);
    gateway.executions.fail('findWait', undefined);
    expect((await early).status).toBe(200);
  });

  it('holds a call only briefly if its token is not known yet', async () => {
    const early = post();
    await until('it is asked for again', async () => gateway.executions.callsOf('findWait').length > 1);
    waits();
    expect((await early).status).toBe(200);
    expect((await post()).status).toBe(404);
    expect(gateway.executions.callsOf('findWait').length).toBeLessThan(15);
  });

  it('does not hold a call forever if its run never reaches the wait', async () => {
    const hasty = await start({ REQUEST_TIME_LIMIT_MS: '800' });
    hasty.executions.fail(
      'findWait',
      new ServiceError({ reason: 'EXECUTION_NOT_WAITING_YET', kind: 'conflict', message: 'Not yet.' }),
    );
    const { status, json } = await hasty.ask('POST', at, { body: {} });
    expect([status, json.error?.details]).toEqual([409, { reason: 'EXECUTION_NOT_WAITING_YET' }]);
  });

  it('waits for the response of the run if the wait requires it, and passes it on', async () => {
    waits({ responseMode: 'lastNode' });
    gateway.executions.told.answer = {
      statusCode: 202,
      headers: [{ name: 'x-a', value: 'b' }],
      body: Buffer.from('done'),
    };
    const { status, text, headers } = await post();
    expect([status, text, headers.get('x-a'), headers.get('content-security-policy')]).toEqual([
      202,
      'done',
      'b',
      'sandbox allow-scripts allow-forms',
    ]);
    expect(resumed()).toMatchObject([{ wait: StartWait.START_WAIT_RESPONSE }]);
    waits({ responseMode: 'responseNode' });
    gateway.executions.told.answer = undefined;
    const late = await post();
    expect([late.status, late.json.error?.details?.['reason']]).toEqual([503, 'WEBHOOK_ANSWER_LATE']);
  });

  it('streams a file in the response of the run', async () => {
    waits({ responseMode: 'lastNode' });
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.files.set('ref-1', [
      { data: Buffer.from('pic'), mimeType: 'image/gif' },
      { data: Buffer.from('ture') },
    ]);
    gateway.executions.told.answer = {
      statusCode: 201,
      headers: [
        { name: 'Content-Type', value: 'image/png' },
        { name: 'Content-Security-Policy', value: 'none' },
      ],
      body: Buffer.alloc(0),
      fileId: 'ref-1',
    };
    const { status, text, headers } = await post();
    expect([status, text, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
      201,
      'picture',
      'image/png',
      'sandbox allow-scripts allow-forms',
    ]);
    waits({ responseMode: 'lastNode' });
    gateway.executions.told.answer = { statusCode: 200, headers: [], body: Buffer.alloc(0), fileId: 'ref-1' };
    expect((await post()).headers.get('content-type')).toBe('image/gif');
    waits({ responseMode: 'lastNode' });
    gateway.executions.stored.delete('e1');
    expect((await post()).status).toBe(404);
  });

  it('responds the same to an unknown token, another suffix and another ingress, and reads no body', async () => {
    const unknown = await post('/webhook-waiting/' + 'x'.repeat(43));
    waits({}, { suffix: 'pay' });
    const wrong = [
      await post(),
      await post(`${at}/other`),
      await post(`${at}/pay/more`),
      await post('/webhook-waiting/'),
      await post('/webhook-waiting/short/pay'),
      await post(`${at}/%E0%A4%A`),
    ];
    gateway.executions.waits.set('f'.repeat(43), {
      settings: { suffix: '', channel: { $case: 'form', value: { page: formPage(), leadsOn: false } } },
    });
    for (const { status, text } of [...wrong, await post('/webhook-waiting/' + 'f'.repeat(43))])
      expect([status, text]).toEqual([404, unknown.text]);
    expect(unknown.text).not.toMatch(/e1|execution[^ ]*Id/);
    expect(resumed()).toEqual([]);
    expect((await post(`${at}/pay/`)).status).toBe(200);
  });

  it('is 404 for another method, names the valid one, and leaves the run waiting', async () => {
    waits();
    const { status, json } = await gateway.ask('GET', at);
    expect([status, json.error?.message]).toEqual([
      404,
      'The execution that waits here does not accept GET, only POST.',
    ]);
    expect((await post()).status).toBe(200);
  });

  it("answers a browser's preflight request without resuming the run", async () => {
    waits({ allowedOrigins: ['https://shop.example'] });
    const { status, headers } = await gateway.ask('OPTIONS', at, {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect([status, headers.get('access-control-allow-methods'), headers.get('access-control-allow-origin')]).toEqual([
      204,
      'POST',
      'https://shop.example',
    ]);
    expect(resumed()).toEqual([]);
  });

  it('refuses callers that the wait excludes: by address, as a crawler, without the credential', async () => {
    waits({ callers: callerRules({ ipWhitelist: ['10.0.0.0/8'], ignoreBots: true }) });
    expect((await post(at, { headers: { 'x-forwarded-for': '11.0.0.1' } })).status).toBe(403);
    expect((await post(at, { headers: { 'x-forwarded-for': '10.0.0.1', 'user-agent': 'Googlebot/2.1' } })).status).toBe(
      403,
    );
    waits({ callers: callerRules({ authentication: 'headerAuth', credentialId: 'c1' }) });
    gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: '' };
    expect((await post(at, { headers: { 'x-key': 'wrong' } })).status).toBe(403);
    expect(gateway.credentials.callsOf('verifyWebhookAuth').at(-1)?.request).toMatchObject({
      authentication: 'headerAuth',
      credentialId: 'c1',
      ownerId: 'owner',
    });
    expect(resumed()).toEqual([]);
  });

  it('is 500 for settings without rules for callers: invalid settings open no ingress', async () => {
    waits({ callers: undefined });
    expect((await post()).status).toBe(500);
    waits({ callers: callerRules({ authentication: '' }) });
    expect((await post()).status).toBe(500);
    gateway.executions.waits.set(TOKEN, {});
    expect((await post()).status).toBe(404);
    expect(resumed()).toEqual([]);
  });
});
