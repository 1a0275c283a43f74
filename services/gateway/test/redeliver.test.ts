import { deliveryOf } from './peers/deliveries';
import { startGateway, type TestGateway } from './start-gateway';

describe('POST /api/v1/deliveries/:id/redeliver', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('answers what came of it', async () => {
    const { status, json } = await gateway.api('POST', '/deliveries/d1/redeliver');
    expect([status, json.data]).toMatchObject([
      200,
      { id: 'd1', state: 'delivered', executionId: 'd1', nextAttemptAt: null, deliveredAt: '2026-01-02T03:05:00.000Z' },
    ]);
  });
});
