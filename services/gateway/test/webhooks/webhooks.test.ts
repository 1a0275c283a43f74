import type { WebhookSettings } from '@weft/proto/channels';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { until } from '@weft/service-kit/testing';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { gatewaysOfEachTest, startGateway, type Ask, type TestGateway } from '../support/start-gateway';

const startsOf = ({ executions }: TestGateway): readonly unknown[] =>
  executions
    .callsOf('startExecutions')
    .flatMap(({ request }) => (isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'] : []));

/** The input of the last started run. */
const inputOf = (gateway: TestGateway): unknown => {
  const start = startsOf(gateway).at(-1);
  return isJsonObject(start) && Buffer.isBuffer(start['input']) ? JSON.parse(start['input'].toString()) : undefined;
};

/** The body sent to the credentials service; undefined if none. */
const bodyOf = ({ request }: { readonly request: unknown }): string | undefined =>
  isJsonObject(request) && Buffer.isBuffer(request['body']) ? request['body'].toString() : undefined;

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

  describe('of an event that was received before', () => {
    const event = { body: { n: 1 }, headers: { 'webhook-id': 'm1' } };

    it('is 200 with the id of the first execution', async () => {
      expect((await post(event)).json).toEqual({ message: 'Workflow was started' });
      const { status, json } = await post(event);
      const [first] = started();
      expect([status, json.executionId]).toEqual([200, isJsonObject(first) ? first['executionId'] : '']);
      expect((await post({ ...event, body: { n: 2 } })).json).toEqual({ message: 'Workflow was started' });
    });

    it('gets the response of the first run if the workflow sends it, but not its failure', async () => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
      gateway.executions.told.answer = { statusCode: 201, headers: [], body: Buffer.from('made') };
      const replies = [await post(event), await post(event)];
      expect(replies.map(({ status, text }) => [status, text])).toEqual([
        [201, 'made'],
        [201, 'made'],
      ]);
      gateway.executions.told.answer = { statusCode: 500, headers: [], body: Buffer.from('broken') };
      const { status, json } = await post(event);
      expect([status, json.executionId]).toEqual([200, expect.any(String)]);
    });

    it('starts again if the workflow names other headers, or none, and with an idempotency key', async () => {
      for (const headers of [[], ['x-other']]) {
        gateway.workflows.webhooks.set('POST hook', webhookAt({}, { eventKey: { headers } }));
        await post(event);
        expect((await post(event)).json).toEqual({ message: 'Workflow was started' });
      }
      gateway.workflows.webhooks.set('POST hook', webhookAt());
      await post({ ...event, headers: { ...event.headers, 'idempotency-key': 'k' } });
      expect(started().at(-1)).toMatchObject({ idempotencyKey: 'k', eventKey: undefined });
    });
  });

  describe('when its start gets no response', () => {
    const idsOf = (): unknown[] => started().map((start) => (isJsonObject(start) ? start['executionId'] : undefined));

    it('is sent again under the same id, and then responds as usual', async () => {
      gateway.executions.fail('startExecutions', new Unavailable('Gone.'));
      const answering = post();
      await until('the start was sent', () => Promise.resolve(idsOf().length > 0 ? true : undefined));
      gateway.executions.fail('startExecutions', undefined);
      expect((await answering).status).toBe(200);
      expect(new Set(idsOf()).size).toBe(1);
      expect(started()[0]).not.toHaveProperty('repeatedStart', true);
      expect(started().at(-1)).toMatchObject({ repeatedStart: true });
    });

    it('is 503 with Retry-After and the id of the possibly started execution, if it cannot be stored', async () => {
      gateway.deliveries.fail('storeDelivery', new Unavailable('Gone too.'));
      gateway.executions.fail('startExecutions', new Unavailable('Gone.'));
      const { status, headers, json } = await post();
      expect([status, headers.has('retry-after')]).toEqual([503, true]);
      expect(json.error?.details).toEqual({ started: 'unknown', executionId: idsOf()[0] });
      expect(json.error?.details?.['executionId']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    });

    it('is 503 without an id, immediately, if the queue is full and it cannot be stored', async () => {
      gateway.deliveries.fail(
        'storeDelivery',
        new ServiceError({ reason: 'TOO_MANY_DELIVERIES', kind: 'limited', message: 'Enough.' }),
      );
      gateway.executions.told.startFailure = new ServiceError({
        reason: 'QUEUE_FULL',
        kind: 'limited',
        message: 'Full.',
        retryAfterSeconds: 7,
      });
      const { status, headers, json } = await post();
      expect([status, headers.get('retry-after'), json.error?.details]).toEqual([
        503,
        '7',
        { reason: 'QUEUE_FULL', started: 'no' },
      ]);
      expect(started()).toHaveLength(1);
    });

    it('continues to wait for the response of the run at another replica, in the remaining time', async () => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
      gateway.executions.told.answer = { statusCode: 201, headers: [], body: Buffer.from('late') };
      gateway.executions.fail(
        'startExecution',
        new ServiceError({ reason: 'REPLICA_STOPPING', kind: 'unavailable', message: 'Stopping.' }),
      );
      const answering = post();
      const calls = () =>
        gateway.executions
          .callsOf('startExecution')
          .map(({ request }) => (isJsonObject(request) && isJsonObject(request['start']) ? request['start'] : {}));
      await until('the start was sent', () => Promise.resolve(calls().length > 1 ? true : undefined));
      gateway.executions.fail('startExecution', undefined);
      expect([(await answering).status, (await answering).text]).toEqual([201, 'late']);
      const [first, second] = calls();
      expect(second).toMatchObject({ executionId: first?.['executionId'], repeatedStart: true });
      expect(Number(second?.['waitMs'])).toBeLessThan(Number(first?.['waitMs']));
    });
  });

  it('sends concurrent requests in few calls, each with its own response', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => post({ body: { index } })));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(started()).toHaveLength(60);
    expect(gateway.executions.callsOf('startExecutions').length).toBeLessThan(60);
  });

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

  describe.each(['lastNode', 'responseNode'])('answered by the run (%s)', (responseMode) => {
    beforeEach(() => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode }));
    });

    it('returns the status, headers and body of the run', async () => {
      gateway.executions.told.answer = {
        statusCode: 418,
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Connection', value: 'x' },
        ],
        body: Buffer.from('{"tea":true}'),
      };
      const { status, text, headers } = await post({ body: {} });
      expect([status, text, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
        418,
        '{"tea":true}',
        'application/json',
        'sandbox allow-scripts allow-forms',
      ]);
      expect(gateway.executions.callsOf('startExecution')).toMatchObject([
        { service: 'gateway', userId: undefined, request: { start: { wait: 1 } } },
      ]);
    });

    it('names the execution whatever the workflow responds, which cannot name another one', async () => {
      gateway.executions.told.answer = {
        statusCode: 500,
        headers: [{ name: 'X-Weft-Execution-Id', value: 'forged' }],
        body: Buffer.from('{"message":"Error in workflow"}'),
      };
      const { status, text, headers } = await post({ body: {}, headers: { origin: 'https://a.example' } });
      expect([status, text]).toEqual([500, '{"message":"Error in workflow"}']);
      expect([headers.get('x-weft-execution-id'), headers.get('access-control-expose-headers')]).toEqual([
        'e1',
        'x-weft-execution-id',
      ]);
    });

    it('is 503 with the id of the execution if no response arrives in time', async () => {
      const { status, json, headers } = await post();
      expect(headers.get('x-weft-execution-id')).toBe('e1');
      expect([status, json.error]).toEqual([
        503,
        {
          code: 'SERVICE_UNAVAILABLE',
          message: expect.any(String),
          details: { reason: 'WEBHOOK_ANSWER_LATE', executionId: 'e1', started: 'yes' },
        },
      ]);
      expect(headers.get('retry-after')).toBe('5');
    });

    it('passes on at most a hundred headers of the run', async () => {
      const named = Array.from({ length: 150 }, (_, index) => ({ name: `x-h-${index}`, value: '1' }));
      gateway.executions.told.answer = { statusCode: 200, headers: named, body: Buffer.from('x') };
      const { headers } = await post();
      expect([...headers.keys()].filter((name) => name.startsWith('x-h-'))).toHaveLength(100);
    });

    it('replaces an invalid status with 200', async () => {
      gateway.executions.told.answer = { statusCode: 99, headers: [], body: Buffer.from('x') };
      expect((await post()).status).toBe(200);
    });
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
