import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { gatewaysOfEachTest, startGateway, type Ask, type TestGateway } from '../support/start-gateway';
import { inputOf, startsOf } from '../support/webhook-calls';

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

  it("keeps the caller's credentials for this service out of run data, and passes other headers on", async () => {
    await post({ key: 'weft_any', headers: { cookie: 'weft_session=s; theme=dark', 'x-own': 'kept' }, body: {} });
    expect(input()).toMatchObject([{ json: { headers: { cookie: 'theme=dark', 'x-own': 'kept' } } }]);
    expect(JSON.stringify(input())).not.toMatch(/weft_any|weft_session/);
  });

  it('starts the run without an API key and responds immediately', async () => {
    const { status, json, headers } = await post({ body: { hello: ['wörld', null] } });
    expect([status, json]).toEqual([200, { message: 'Workflow was started' }]);
    expect(headers.get('x-weft-execution-id')).toBe('e1');
    expect(started()).toMatchObject([
      {
        workflowId: 'w1',
        versionId: 'v1',
        ownerId: 'owner',
        startNode: 'Webhook',
        mode: 3,
        wait: 0,
        idempotencyKey: '',
      },
    ]);
    expect(gateway.identity.seen).toEqual([]);
    expect([
      headers.get('content-security-policy'),
      headers.get('x-content-type-options'),
      headers.get('x-ratelimit-limit'),
    ]).toEqual(['sandbox allow-scripts allow-forms', 'nosniff', null]);
  });

  it('reads brackets in the names of a query as objects and lists, within bounds', async () => {
    gateway.workflows.webhooks.set('POST orders', webhookAt());
    const query = 'c[d]=1&e[]=2&f=1&f=2&h[0]=x&k.l=3&m[__proto__]=4&__proto__[n]=5&j';
    await post({ body: {} }, `orders?${query}`);
    expect(input()).toMatchObject([
      { json: { query: { c: { d: '1' }, e: ['2'], f: ['1', '2'], h: ['x'], 'k.l': '3', j: '' } } },
    ]);
    await post({ body: {} }, `orders?a${'[b]'.repeat(200)}=1&x[1000000]=2`);
    expect(input()).toMatchObject([{ json: { query: { a: { b: { b: expect.anything() } }, x: { 1000000: '2' } } } }]);
  });

  it('gives the run one item with headers, params, query, body, webhookUrl and executionMode', async () => {
    gateway.workflows.webhooks.set('POST orders/7/ü x', webhookAt({ pathParams: { id: '7' } }));
    await post({ body: { a: 1 }, headers: { 'x-custom': 'yes' } }, 'orders/7/%C3%BC%20x?b=2&c=3&c=4');
    expect(input()).toEqual([
      {
        json: {
          headers: expect.objectContaining({ 'x-custom': 'yes', 'content-type': 'application/json' }),
          params: { id: '7' },
          query: { b: '2', c: ['3', '4'] },
          body: { a: 1 },
          webhookUrl: `${gateway.base}/webhook/orders/7/%C3%BC%20x`,
          executionMode: 'production',
        },
      },
    ]);
  });

  it('includes the request method if the node has an output for each', async () => {
    gateway.workflows.webhooks.set('POST several', webhookAt({}, { outputsByMethod: true }));
    await post({ body: { method: 'GET' } }, 'several?method=GET');
    expect(input()).toMatchObject([{ json: { method: 'POST', body: { method: 'GET' } } }]);
    await post({ body: {} });
    expect(input()).not.toMatchObject([{ json: { method: expect.anything() } }]);
  });

  it.each([
    [
      'JSON',
      'application/json',
      '{"n": 12345678901234567890, "__proto__": {"x": 1}}',
      '"body":{"n": 12345678901234567890, "__proto__": {"x": 1}}',
    ],
    ['+json', 'application/cloudevents+json; charset=utf-8', '[1]', '"body":[1]'],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'a=1&b=x+y%21&a=2&__proto__=z',
      '"body":{"a":["1","2"],"b":"x y!","__proto__":"z"}',
    ],
    ['text', 'text/plain', 'hello "you"', '"body":"hello \\"you\\""'],
    ['text in another charset', 'text/plain; charset=iso-8859-1', Buffer.from([0xfc]), '"body":"ü"'],
    ['XML', 'application/xml', '<a>1</a>', '"body":"<a>1</a>"'],
    ['SOAP', 'application/soap+xml', '<a/>', '"body":"<a/>"'],
  ])('takes %s', async (_what, type, body, expected) => {
    expect((await post({ body, headers: { 'content-type': type } })).status).toBe(200);
    const start = started()[0];
    expect(isJsonObject(start) && String(start['input'])).toContain(expected);
  });

  it('refuses JSON that is not UTF-8, unless its charset is named, and skips a byte order mark', async () => {
    const latin = Buffer.from('{"a":"\u00fc"}', 'latin1');
    const refused = await post({ body: latin });
    expect([refused.status, refused.json.error?.details]).toEqual([
      400,
      { fields: [{ field: 'body', message: expect.stringContaining('offset 6') }] },
    ]);
    await post({ body: latin, headers: { 'content-type': 'application/json; charset=iso-8859-1' } });
    expect(input()).toMatchObject([{ json: { body: { a: 'ü' } } }]);
    await post({ body: Buffer.from('\ufeff{"a":1}') });
    expect(input()).toMatchObject([{ json: { body: { a: 1 } } }]);
  });

  it('treats a missing body as an empty object', async () => {
    gateway.workflows.webhooks.set('GET hook', webhookAt());
    expect((await gateway.ask('GET', '/webhook/hook?x=1')).status).toBe(200);
    expect(input()).toMatchObject([{ json: { body: {}, query: { x: '1' } } }]);
  });

  it.each([
    ['broken JSON', 'application/json', '{'],
    ['10,000 levels', 'application/json', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['parts without a boundary', 'multipart/form-data', '--x--'],
    [
      'parts that break off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
    ],
    ['raw bytes', 'application/octet-stream', Buffer.from([1, 2])],
    ['an image', 'image/png', Buffer.from([1])],
    ['an unknown charset', 'text/plain; charset=klingon', 'x'],
    ['a form with too many fields', 'application/x-www-form-urlencoded', 'a&'.repeat(10_001)],
  ])('is 400 for %s, and starts nothing', async (_what, type, body) => {
    const { status, json, headers } = await post({ body, headers: { 'content-type': type } });
    expect([status, json.error?.code, headers.get('content-security-policy')]).toEqual([
      400,
      'INVALID_REQUEST',
      'sandbox allow-scripts allow-forms',
    ]);
    expect(started()).toEqual([]);
  });

  it('is 413 for more than 10 MB, and for text that is too large as JSON', async () => {
    expect((await post({ body: Buffer.alloc(11_000_000, 0x20) })).status).toBe(413);
    expect((await post({ body: '"'.repeat(9_000_000), headers: { 'content-type': 'text/plain' } })).status).toBe(413);
    expect(started()).toEqual([]);
  });

  it('is 404 with the usual error format if nothing listens, and names the methods that would work', async () => {
    expect((await post({}, 'nothing')).json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('No active workflow listens to POST /webhook/nothing'),
    });
    gateway.workflows.webhooks.set('PUT hook', { ...webhookAt(), found: false, otherMethods: ['POST'] });
    const { status, json } = await gateway.ask('PUT', '/webhook/hook');
    expect([status, json.error?.message]).toEqual([
      404,
      'No active workflow listens to PUT /webhook/hook; it answers POST.',
    ]);
    for (const path of ['%E0%A4%A', '', '%00']) expect((await post({}, path)).status).toBe(404);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('takes %s', async (method) => {
    gateway.workflows.webhooks.set(`${method} any`, webhookAt());
    expect((await gateway.ask(method, '/webhook/any')).status).toBe(200);
  });

  it('passes on the idempotency key, and reports a conflict', async () => {
    await post({ headers: { 'idempotency-key': 'delivery-1' } });
    expect(started()).toMatchObject([{ idempotencyKey: 'delivery-1' }]);
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message: 'Another.',
    });
    expect((await post({ headers: { 'idempotency-key': 'delivery-1' } })).status).toBe(409);
  });

  it('tells the callers of an idempotency key apart by their proofs, also those that the workflow checks', async () => {
    const keyOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
      await post({ headers: { 'idempotency-key': 'k1', ...headers }, body: {} });
      const start = started().at(-1);
      return isJsonObject(start) ? start['idempotencyKey'] : undefined;
    };
    const [alice, mallory] = [{ authorization: 'Bearer alice' }, { authorization: 'Bearer mallory' }];
    const keys = [await keyOf(alice), await keyOf(mallory), await keyOf({}), await keyOf({ cookie: 'a=b' })];
    expect(new Set(keys).size).toBe(4);
    expect([await keyOf({ ...alice, 'user-agent': 'retry' }), keys[2]]).toEqual([keys[0], 'k1']);
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, { callers: callerRules({ authentication: 'jwtAuth' }) }));
    const claim = async (claims: object, token: string): Promise<unknown> => {
      const granted = { granted: true, refusalStatus: 0, secretHeader: 'authorization' };
      gateway.credentials.told.webhookAuth = { ...granted, claimsJson: JSON.stringify(claims) };
      return keyOf({ authorization: `Bearer ${token}` });
    };
    expect(await claim({ sub: 'alice', iat: 1 }, '1')).toBe(await claim({ sub: 'alice', iat: 2 }, '2'));
    expect(await claim({ sub: 'alice' }, '1')).not.toBe(await claim({ sub: 'mallory' }, '1'));
  });

  it('is 503 with Retry-After when the executions service is full, only for the refused request', async () => {
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
    gateway.executions.fail(
      'startExecution',
      new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'Full.', retryAfterSeconds: 7 }),
    );
    const { status, headers } = await post();
    expect([status, headers.get('retry-after')]).toEqual([503, '7']);
  });

  it('says that nothing was started if its route or its caller cannot be looked up', async () => {
    gateway.workflows.webhooks.set(
      'POST hook',
      webhookAt({}, { callers: callerRules({ authentication: 'headerAuth', credentialId: 'c1' }) }),
    );
    gateway.credentials.fail('verifyWebhookAuth', new Unavailable('Away.'));
    expect((await post()).json.error?.details).toEqual({ started: 'no' });
    gateway.workflows.fail('resolveWebhooks', new Unavailable('Away.'));
    expect((await post()).json.error?.details).toEqual({ started: 'no' });
  });

  it('sends concurrent requests in few calls, each with its own response', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => post({ body: { index } })));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(started()).toHaveLength(60);
    expect(gateway.executions.callsOf('startExecutions').length).toBeLessThan(60);
  });
});

describe('/webhook behind a proxy', () => {
  const start = gatewaysOfEachTest();

  it('trusts one entry of X-Forwarded-For per proxy, and builds webhookUrl from PUBLIC_URL', async () => {
    const gateway = await start({ TRUST_PROXY: '2', PUBLIC_URL: 'https://hooks.example.com/' });
    gateway.workflows.webhooks.set(
      'POST hook',
      webhookAt({}, { callers: callerRules({ ipWhitelist: ['203.0.113.9'] }) }),
    );
    const call = (forwarded: string) =>
      gateway.ask('POST', '/webhook/hook', { headers: { 'x-forwarded-for': forwarded } });
    expect((await call('203.0.113.9, 10.0.0.1')).status).toBe(200);
    expect((await call('203.0.113.9, 198.51.100.1, 10.0.0.1')).status).toBe(403);
    expect(inputOf(gateway)).toMatchObject([{ json: { webhookUrl: 'https://hooks.example.com/webhook/hook' } }]);
  });
});
