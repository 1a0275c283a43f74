import { backfillOf } from './peers/schedules';
import { startGateway, type TestGateway } from './start-gateway';

describe('POST /api/v1/backfills/:id/cancel', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.schedules.stored.set('b1', backfillOf('b1'));
  });
  afterAll(() => gateway.stop());

  it('answers the backfill that was ended', async () => {
    expect((await gateway.api('POST', '/backfills/b1/cancel')).json.data).toMatchObject({
      id: 'b1',
      state: 'cancelled',
    });
  });
});
