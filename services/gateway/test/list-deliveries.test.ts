import { deliveryOf } from './peers/deliveries';
import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/deliveries', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('gives one page without requests, and passes the filters on', async () => {
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
