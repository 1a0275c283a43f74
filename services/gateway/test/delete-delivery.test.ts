import { deliveryOf } from './peers/deliveries';
import { startGateway, type TestGateway } from './start-gateway';

describe('DELETE /api/v1/deliveries/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('answers success; 404 when repeated', async () => {
    expect((await gateway.api('DELETE', '/deliveries/d1')).json).toEqual({ data: { success: true } });
    const again = await gateway.api('DELETE', '/deliveries/d1');
    expect([again.status, again.json.error?.details]).toEqual([404, { deliveryId: 'd1' }]);
  });
});
