import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type Ask, type TestGateway } from '../support/start-gateway';

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
    ['cannot be reached', new Unavailable('Gone.')],
    ['has no room', new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'Full.' })],
    ['fails', new ServiceError({ reason: 'INTERNAL_ERROR', kind: 'internal', message: 'Broken.' })],
  ])('is stored under its id if the executions service %s, and accepted: 202 with that id', async (_what, failure) => {
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
    const { status, json } = await post({
      body: { n: 1 },
      headers: { 'idempotency-key': 'k', 'x-secret': 'letmein', 'x-other': 'kept' },
    });
    const [id] = idsOf();
    expect([status, json]).toMatchObject([202, { executionId: id, deliveryId: id }]);
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
  });

  it('is not stored if its caller waits for the response of the run', async () => {
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'lastNode' }));
    gateway.executions.fail(
      'startExecution',
      new ServiceError({ reason: 'TOO_MANY_WAITING', kind: 'limited', message: 'Enough.' }),
    );
    const { status, json } = await post();
    expect([status, json.error?.details]).toEqual([503, { reason: 'TOO_MANY_WAITING', started: 'no' }]);
    expect(gateway.deliveries.callsOf('storeDelivery')).toEqual([]);
  });

  it('may start later if the response to storing it was lost, so the outcome is unknown', async () => {
    gateway.executions.fail(
      'startExecutions',
      new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: '' }),
    );
    gateway.deliveries.fail(
      'storeDelivery',
      new ServiceError({ reason: 'INTERNAL_ERROR', kind: 'internal', message: '' }),
    );
    const lost = await post();
    expect([lost.status, lost.json.error?.details]).toMatchObject([
      500,
      { started: 'unknown', executionId: idsOf()[0] },
    ]);
    gateway.deliveries.fail(
      'storeDelivery',
      new ServiceError({ reason: 'TOO_MANY_DELIVERIES', kind: 'limited', message: '' }),
    );
    const refused = await post();
    expect([refused.status, refused.json.error?.details]).toEqual([503, { reason: 'QUEUE_FULL', started: 'no' }]);
  });

  it('is the delivery of its event if that was stored before: 200 with the first id', async () => {
    gateway.executions.fail('startExecutions', new Unavailable('Gone.'));
    const event = { body: { n: 1 }, headers: { 'x-github-delivery': 'd1' } };
    const first = await post(event);
    const again = await post(event);
    expect([first.status, again.status, again.json]).toMatchObject([202, 200, { executionId: first.json.executionId }]);
    const other = await post({ ...event, body: { n: 2 } });
    expect([other.status, other.json.executionId === first.json.executionId]).toEqual([202, false]);
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
