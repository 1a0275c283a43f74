import { ROUTES } from '../../src/handlers/routes';
import { Unavailable } from '@weft/service-kit/errors';
import { until } from '@weft/service-kit/testing';
import { KEYS, PERSON } from '../peers/identity';
import { rawBytes, rawRequest } from '../support/raw-request';
import { gatewaysOfEachTest, startGateway, type TestGateway } from '../support/start-gateway';

const goodBody = { name: 'n', type: 'httpHeaderAuth', data: {} };
const basic = `Basic ${Buffer.from(`${PERSON.email}:${PERSON.password}`).toString('base64')}`;

describe('authentication and the rate limit', () => {
  const startHere = gatewaysOfEachTest();
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('reports limit, remaining requests and the reset in Unix seconds on every response but 401', async () => {
    gateway.identity.window.limit = 100;
    const headersOf = async (method: string, path: string, body?: unknown): Promise<(string | null)[]> => {
      const { headers } = await gateway.api(method, path, { body });
      return ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => headers.get(name));
    };
    const reset = String(Math.ceil(gateway.identity.window.resetAt.getTime() / 1000));
    expect(await headersOf('GET', '/workflows')).toEqual(['100', '99', reset]);
    expect(await headersOf('GET', '/workflows/missing')).toEqual(['100', '98', reset]);
    expect(await headersOf('POST', '/workflows', '{')).toEqual(['100', '97', reset]);
    expect(await headersOf('GET', '/nothing')).toEqual(['100', '96', reset]);
  });

  it('counts concurrent requests of one key exactly, with fewer verifications than requests', async () => {
    gateway.identity.window.limit = 30;
    const release = gateway.identity.hold('verifyApiKey');
    const replies = Array.from({ length: 50 }, () => gateway.api('GET', '/workflows'));
    await until('verifications are under way', () => gateway.identity.callsOf('verifyApiKey').length === 4);
    release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(gateway.identity.callsOf('verifyApiKey').length).toBeLessThan(50);
  });

  it('asks for Basic only where it is on, and says which credentials are wrong', async () => {
    const wrong = { authorization: `Basic ${Buffer.from('ada@users.invalid:wrong').toString('base64')}` };
    const refusals = async (asked: TestGateway) => {
      const replies = [{}, wrong, { authorization: 'Basic %%%' }].map((headers) =>
        asked.api('GET', '/workflows', { key: null, headers }),
      );
      return (await Promise.all(replies)).map(({ status, json, headers }) => {
        expect([status, headers.get('link')]).toEqual([401, expect.stringContaining('</docs/>; rel="service-doc"')]);
        return [headers.get('www-authenticate'), json.error?.message];
      });
    };
    const both = 'ApiKey realm="weft", Basic realm="weft", charset="UTF-8"';
    expect(await refusals(await startHere({ BASIC_AUTH: 'on' }))).toEqual([
      [both, expect.stringContaining('X-SVC-API-KEY')],
      [both, 'The email or the password is wrong, or the user is locked.'],
      [both, expect.stringContaining('malformed')],
    ]);
    const off = 'ApiKey realm="weft"';
    expect(await refusals(await startHere({ BASIC_AUTH: 'off' }))).toEqual([
      [off, expect.stringContaining('X-SVC-API-KEY')],
      [off, expect.stringContaining('Basic authentication is off')],
      [off, expect.stringContaining('Basic authentication is off')],
    ]);
  });

  it('leads from the root of the API to its reference', async () => {
    for (const path of ['', '/']) {
      const { status, json, headers } = await gateway.api('GET', path);
      expect([status, json.error?.message, headers.get('link')]).toEqual([
        404,
        expect.stringContaining('/docs/'),
        expect.stringContaining('rel="service-doc"'),
      ]);
      expect((await gateway.api('GET', path, { key: null })).status).toBe(401);
    }
  });

  it('omits the headers if there is no limit', async () => {
    const { status, headers } = await gateway.api('GET', '/workflows');
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  });

  it('refuses a deleted key on the very next request', async () => {
    expect((await gateway.api('GET', '/workflows')).status).toBe(200);
    gateway.identity.keys.delete(KEYS.owner);
    expect((await gateway.api('GET', '/workflows')).status).toBe(401);
  });

  it('accepts Basic and marks it as deprecated; an API key takes precedence', async () => {
    const asBasic = await gateway.api('GET', '/workflows', { key: null, headers: { authorization: basic } });
    expect([asBasic.status, asBasic.headers.get('deprecation')]).toEqual([200, expect.stringMatching(/^@\d+$/)]);
    expect([asBasic.headers.get('link'), asBasic.headers.get('sunset')]).toEqual([
      '</docs/#authentication>; rel="deprecation"; type="text/html"',
      null,
    ]);
    expect((await gateway.api('GET', '/workflows')).headers.get('deprecation')).toBeNull();
    expect(
      (await gateway.api('GET', '/workflows', { key: 'weft_wrong', headers: { authorization: basic } })).status,
    ).toBe(401);
  });

  it('authenticates before it reads the body', async () => {
    const { status } = await rawRequest(gateway.port, 'POST', '/api/v1/workflows', {
      'content-type': 'application/json',
      'content-length': '1000',
    });
    expect(status).toBe(401);
  });

  it('sends 100 Continue only after the key was verified', async () => {
    const head = (key: string): string =>
      `POST /api/v1/workflows HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-SVC-API-KEY: ${key}\r\nContent-Type: ` +
      'application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n';
    const refused = await rawBytes(gateway.port, head('weft_wrong'));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    const taken = await rawBytes(gateway.port, `${head(KEYS.owner)}{}`);
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('retains a request id that is a plain word, creates one otherwise, and passes it on', async () => {
    const kept = await gateway.api('GET', '/workflows', { headers: { 'x-request-id': 'my-id.1' } });
    expect(kept.headers.get('x-request-id')).toBe('my-id.1');
    expect(gateway.workflows.callsOf('listWorkflows').at(-1)?.requestId).toBe('my-id.1');
    const made = await gateway.api('GET', '/workflows', { headers: { 'x-request-id': 'a b<c>' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reveals neither its framework nor a weak ETag', async () => {
    const { headers } = await gateway.api('GET', '/workflows');
    expect([
      headers.get('x-powered-by'),
      headers.get('etag'),
      headers.get('x-content-type-options'),
      headers.get('cache-control'),
    ]).toEqual([null, null, 'nosniff', 'no-store']);
  });
});

describe('a key over its limit', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    Object.assign(gateway.identity.window, { limit: 1, used: 1, resetAt: new Date(Date.now() + 40_000) });
  });
  afterAll(() => gateway.stop());

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is refused %s with 429, retryAfter in seconds and Retry-After',
    async (_name, route) => {
      const { status, json, headers } = await gateway.api(
        route.method,
        route.path.replace(':id', 'x'),
        route.body === 'none' ? {} : { body: goodBody },
      );
      expect([status, json.error?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(json.error?.retryAfter).toBeGreaterThan(20);
      expect(json.error?.retryAfter).toBeLessThanOrEqual(40);
      expect(headers.get('retry-after')).toBe(String(json.error?.retryAfter));
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect([gateway.workflows, gateway.executions, gateway.credentials].flatMap(({ seen }) => seen)).toEqual([]);
    },
  );
});

describe('connection and time limits', () => {
  const start = gatewaysOfEachTest();

  it('responds with 503 and Retry-After when the time for a request is over, whatever is pending', async () => {
    const gateway = await start({ REQUEST_TIME_LIMIT_MS: '300' });
    const release = gateway.workflows.hold('getWorkflow');
    const { status, json, headers } = await gateway.api('GET', '/workflows/x');
    expect([status, json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    const slow = await rawRequest(gateway.port, 'POST', '/api/v1/workflows', {
      'x-svc-api-key': KEYS.owner,
      'content-type': 'application/json',
      'content-length': '1000',
    });
    expect(slow.status).toBe(503);
    release();
  });

  it('refuses bodies with 503 if they are too large in total, and accepts them again when there is room', async () => {
    const gateway = await start({ BODY_MEMORY_MB: '10' });
    const release = gateway.workflows.hold('createWorkflow');
    const body = JSON.stringify({ name: 'n', nodes: [], connections: {}, notes: 'x'.repeat(6_000_000) });
    const first = gateway.api('POST', '/workflows', { body });
    await until(
      'the first body is with the workflows service',
      () => gateway.workflows.callsOf('createWorkflow').length === 1,
    );
    expect((await gateway.api('POST', '/workflows', { body })).status).toBe(503);
    release();
    expect((await first).status).toBe(201);
    expect((await gateway.api('POST', '/workflows', { body })).status).toBe(201);
  });

  it('answers input that is not HTTP, and headers beyond 16 KB, with its error format', async () => {
    const gateway = await start();
    for (const bytes of [
      'nonsense\r\n\r\n',
      `GET /api/v1/workflows HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const reply = await rawBytes(gateway.port, bytes);
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain('{"error":{"code":"INVALID_REQUEST"');
    }
  });
});

describe('a peer that is down', () => {
  const start = gatewaysOfEachTest();

  it('causes 503 with Retry-After, opens its breaker, does not affect others, and recovers', async () => {
    const gateway = await start();
    gateway.workflows.fail('getWorkflow', new Unavailable('The store is away.'));
    const refusal = async (): Promise<string | undefined> => {
      const { status, json, headers } = await gateway.api('GET', '/workflows/x');
      expect([status, json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      return json.error?.message;
    };
    // Failures count within a time window, so their number depends on how quickly they occur.
    await until(
      'the breaker opens',
      async () => (await refusal()) === 'The workflows service is unavailable. Try again.',
    );
    const asked = gateway.workflows.callsOf('getWorkflow').length;
    expect(await refusal()).toBe('The workflows service is unavailable. Try again.');
    expect(gateway.workflows.callsOf('getWorkflow')).toHaveLength(asked);
    expect((await gateway.api('GET', '/executions')).status).toBe(200);
    expect((await gateway.ask('GET', '/readyz')).status).toBe(200);
    gateway.workflows.fail('getWorkflow', undefined);
    await until('the breaker closes', async () => (await gateway.api('GET', '/workflows/x')).status === 404, 15_000);
  });

  it('causes 503 when no process listens', async () => {
    const gateway = await start({ WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1' });
    expect((await gateway.api('GET', '/workflows/x')).status).toBe(503);
  });
});
