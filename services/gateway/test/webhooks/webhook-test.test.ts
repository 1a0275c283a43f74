import { ExecutionMode } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { type Ask, startGateway, type TestGateway } from '../support/start-gateway';
import { inputOf, startsOf } from '../support/webhook-calls';

describe('a test call by /webhook-test/<path>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    wait();
  });
  afterEach(() => gateway.stop());

  const wait = (...[over, settings]: Parameters<typeof webhookAt>): void => {
    gateway.listening.waiting.set('POST hook', { webhook: webhookAt(over, settings), listeningId: 'l1' });
  };
  const post = (params: Ask = {}, path = 'hook') =>
    gateway.ask('POST', `/webhook-test/${path}`, { key: null, ...params });

  it('starts a manual run of the draft with the request, under the id by which it took the listening', async () => {
    const { status, json } = await post({ body: { n: 1 } }, 'hook?a=1');
    expect([status, json]).toEqual([200, { message: 'Workflow was started' }]);
    const [taken] = gateway.listening.callsOf('takeListening');
    const { executionId } = taken?.request as { executionId: string };
    expect(startsOf(gateway)).toEqual([
      expect.objectContaining({
        executionId,
        versionId: 'v1',
        startNode: 'Webhook',
        mode: ExecutionMode.EXECUTION_MODE_MANUAL,
        usePinData: true,
      }),
    ]);
    expect(inputOf(gateway)).toMatchObject([
      {
        json: {
          body: { n: 1 },
          query: { a: '1' },
          executionMode: 'test',
          webhookUrl: expect.stringContaining('/webhook-test/hook'),
        },
      },
    ]);
  });

  it('is one call: a second one, and one at an address where nothing waits, are 404', async () => {
    await post();
    for (const path of ['hook', 'other', '%']) {
      const { status, json } = await post({}, path);
      expect([status, json.error?.code]).toEqual([404, 'INVALID_REQUEST']);
      expect(json.error?.message).toMatch(/waits for a test call of POST \/webhook-test\//);
    }
    expect(startsOf(gateway)).toHaveLength(1);
  });

  it('never reaches the active webhook at the same path, nor the other way round', async () => {
    gateway.workflows.webhooks.set('POST live', webhookAt());
    expect((await post({}, 'live')).status).toBe(404);
    expect((await gateway.ask('POST', '/webhook/hook', { key: null })).status).toBe(404);
  });

  it('is not used up by a stranger whom the webhook refuses, nor by a body that cannot be read', async () => {
    gateway.credentials.told.webhookAuth = {
      ...gateway.credentials.told.webhookAuth,
      granted: false,
      refusalStatus: 401,
    };
    wait({}, { callers: callerRules({ authentication: 'basicAuth', credentialId: 'c1' }) });
    expect((await post()).status).toBe(401);
    wait();
    expect((await post({ body: '{', headers: { 'content-type': 'application/json' } })).status).toBe(400);
    expect(gateway.listening.callsOf('takeListening')).toEqual([]);
    expect((await post()).status).toBe(200);
  });

  it('answers what the run responds', async () => {
    wait({}, { responseMode: 'lastNode' });
    gateway.executions.told.answer = { statusCode: 201, headers: [], body: Buffer.from('made') };
    const { status, text } = await post();
    expect([status, text]).toEqual([201, 'made']);
  });

  it('ignores an Idempotency-Key and the id of an event: each call is a new test', async () => {
    const headers = { 'idempotency-key': 'k', 'webhook-id': 'm1' };
    for (let n = 0; n < 2; n += 1) {
      wait();
      expect((await post({ headers, body: { n } })).json).toEqual({ message: 'Workflow was started' });
    }
    expect(startsOf(gateway)).toMatchObject([{ idempotencyKey: '' }, { idempotencyKey: '' }]);
  });

  it('is refused, and not stored for later, if it cannot be started', async () => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'QUEUE_FULL',
      kind: 'limited',
      message: 'Full.',
    });
    expect((await post()).status).toBe(503);
    expect(gateway.deliveries.callsOf('storeDelivery')).toEqual([]);
  });

  it('may be sent from a page of an origin that the webhook allows', async () => {
    wait({}, { allowedOrigins: ['https://shop.example'] });
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const reply = await gateway.ask('OPTIONS', '/webhook-test/hook', { key: null, headers });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([204, 'https://shop.example']);
    expect(gateway.listening.waiting.size).toBe(1);
  });
});
