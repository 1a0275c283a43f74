import { deliveryOf } from '../peers/deliveries';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/deliveries', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('returns one page without requests, and passes on the filters', async () => {
    const { status, json } = await gateway.api('GET', '/deliveries?workflowId=w1&state=pending&limit=5', {
      key: KEYS.viewer,
    });
    expect([status, json]).toEqual([
      200,
      {
        data: [
          {
            id: 'd1',
            workflowId: 'w1',
            node: 'Webhook',
            method: 'POST',
            path: 'hook',
            state: 'pending',
            reason: 'SERVICE_UNAVAILABLE',
            message: 'down',
            attempts: 1,
            bytes: 7,
            receivedAt: '2026-01-02T03:04:05.000Z',
            nextAttemptAt: '2026-01-02T03:04:07.000Z',
            deliveredAt: null,
            expiresAt: '2026-01-05T03:04:05.000Z',
            executionId: null,
          },
        ],
        nextCursor: null,
      },
    ]);
    expect(gateway.deliveries.callsOf('listDeliveries')).toMatchObject([
      { request: { workflowId: 'w1', state: 1, limit: 5, cursor: '' } },
    ]);
  });
});

describe('GET /api/v1/deliveries/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('returns the request with its headers, but without secrets', async () => {
    const json = {
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret', cookie: 'sid=secret' },
      query: { a: '1' },
      body: { n: 1 },
    };
    gateway.deliveries.inputs.set('d1', Buffer.from(JSON.stringify([{ json, binary: { data: { id: 'f' } } }])));
    const reply = await gateway.api('GET', '/deliveries/d1', { key: KEYS.viewer });
    expect(reply.json.data).toMatchObject({
      id: 'd1',
      request: {
        headers: { 'content-type': 'application/json', authorization: '***', cookie: '***' },
        query: { a: '1' },
        body: { n: 1 },
        files: { data: { id: 'f' } },
      },
    });
    expect(reply.text).not.toContain('secret');
  });

  it('has no request after delivery', async () => {
    expect((await gateway.api('GET', '/deliveries/d1')).json.data).toMatchObject({ id: 'd1', request: null });
  });
});

describe('POST /api/v1/deliveries/:id/redeliver', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('returns the outcome', async () => {
    const { status, json } = await gateway.api('POST', '/deliveries/d1/redeliver');
    expect([status, json.data]).toMatchObject([
      200,
      { id: 'd1', state: 'delivered', executionId: 'd1', nextAttemptAt: null, deliveredAt: '2026-01-02T03:05:00.000Z' },
    ]);
  });
});

describe('DELETE /api/v1/deliveries/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('reports success; 404 when repeated', async () => {
    expect((await gateway.api('DELETE', '/deliveries/d1')).json).toEqual({ data: { success: true } });
    const again = await gateway.api('DELETE', '/deliveries/d1');
    expect([again.status, again.json.error?.details]).toEqual([404, { deliveryId: 'd1' }]);
  });
});
