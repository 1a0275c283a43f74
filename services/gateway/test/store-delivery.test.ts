import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { callerRules } from './peers/ingress-settings';
import { webhookAt } from './peers/workflows';
import { startGateway, type Ask, type TestGateway } from './start-gateway';

describe('a webhook call that cannot be started now', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterEach(() => gateway.stop());

  const post = (params: Ask = {}) => gateway.ask('POST', '/webhook/hook', params);
  const idsOf = (): unknown[] =>
    gateway.executions
      .callsOf('startExecutions')
      .flatMap(({ request }) => (isJsonObject(request) && Array.isArray(request['starts']) ? request['starts'] : []))
      .map((start: unknown) => (isJsonObject(start) ? start['executionId'] : undefined));

  it.each([
    ['cannot be reached', new Unavailable('Gone.'), '5'],
    [
      'has no room',
      new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'Full.', retryAfterSeconds: 7 }),
      '7',
    ],
    ['fails', new ServiceError({ reason: 'INTERNAL_ERROR', kind: 'internal', message: 'Broken.' }), '5'],
  ])(
    'is stored under its id if the executions service %s: 503 with Retry-After and that id',
    async (_what, failure, retryAfter) => {
      gateway.workflows.webhooks.set(
        'POST hook',
        webhookAt({}, { callers: callerRules({ authentication: 'headerAuth', credentialId: 'c1' }) }),
      );
      gateway.credentials.told.webhookAuth = {
        granted: true,
        refusalStatus: 0,
        claimsJson: '',
        secretHeader: 'x-secret',
      };
      gateway.executions.fail('startExecutions', failure);
      const { status, headers, json } = await post({
        body: { n: 1 },
        headers: { 'idempotency-key': 'k', 'x-secret': 'letmein', 'x-other': 'kept' },
      });
      const [id] = idsOf();
      expect([status, headers.get('retry-after'), json.error?.details]).toEqual([
        503,
        retryAfter,
        { reason: 'DELIVERY_KEPT', executionId: id, deliveryId: id, cause: failure.reason },
      ]);
      const [kept] = gateway.deliveries.callsOf('storeDelivery').map(({ request }) => request);
      expect(kept).toMatchObject({
        method: 'POST',
        path: 'hook',
        reason: failure.reason,
        start: {
          executionId: id,
          workflowId: 'w1',
          versionId: 'v1',
          node: 'Webhook',
          idempotencyKey: expect.stringMatching(/^¦/),
        },
      });
      const input = isJsonObject(kept) && isJsonObject(kept['start']) ? String(kept['start']['input']) : '';
      expect(JSON.parse(input)).toMatchObject([{ json: { body: { n: 1 }, headers: { 'x-other': 'kept' } } }]);
      expect(input).not.toContain('letmein');
    },
  );

  it('is stored even if its caller waits for the response of the run', async () => {
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
    gateway.executions.fail(
      'startExecution',
      new ServiceError({ reason: 'TOO_MANY_WAITING', kind: 'limited', message: 'Enough.' }),
    );
    expect((await post()).json.error?.details).toMatchObject({ reason: 'DELIVERY_KEPT', cause: 'TOO_MANY_WAITING' });
  });

  it('is not stored if the call itself is invalid', async () => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message: 'Another.',
    });
    expect((await post({ headers: { 'idempotency-key': 'k' } })).status).toBe(409);
    expect(gateway.deliveries.callsOf('storeDelivery')).toEqual([]);
  });
});
