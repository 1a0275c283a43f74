import { startGateway, type TestGateway } from './start-gateway';

const period = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T10:00:00+01:00' };

describe('POST /api/v1/workflows/:id/backfill', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers 201 with the backfill', async () => {
    const { status, json, headers } = await gateway.api('POST', '/workflows/w1/backfill', {
      body: { ...period, node: 'Clock', concurrency: 2 },
    });
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/workflows/w1/backfills']);
    expect(json.data).toEqual({
      id: 'b1',
      workflowId: 'w1',
      state: 'running',
      from: '2026-03-10T00:00:00.000Z',
      to: '2026-03-10T09:00:00.000Z',
      node: 'Clock',
      concurrency: 2,
      total: 10,
      started: 0,
      existing: 0,
      refused: 0,
      reason: '',
      message: '',
      createdAt: '2026-03-11T00:00:00.000Z',
      updatedAt: '2026-03-11T00:00:00.000Z',
    });
  });

  it('answers 200 with the count alone in a dry run', async () => {
    const { status, json } = await gateway.api('POST', '/workflows/w1/backfill', { body: { ...period, dryRun: true } });
    expect([status, json]).toEqual([200, { data: { dryRun: true, total: 10 } }]);
    expect(gateway.schedules.stored.size).toBe(0);
  });
});
