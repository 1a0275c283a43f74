import { backfillOf } from './peers/schedules';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/workflows/:id/backfills', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('answers the backfills of the workflow', async () => {
    expect((await gateway.api('GET', '/workflows/w1/backfills')).json).toEqual({ data: [] });
    gateway.schedules.stored.set(
      'b1',
      backfillOf('b1', { refused: 2, reason: 'WORKFLOW_NOT_RUNNABLE', message: 'no' }),
    );
    expect((await gateway.api('GET', '/workflows/w1/backfills')).json.data).toMatchObject([
      { id: 'b1', state: 'running', node: null, refused: 2, reason: 'WORKFLOW_NOT_RUNNABLE' },
    ]);
  });
});
