import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/workflows/:id/schedule', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('answers the schedules, how they stand, and the next due times', async () => {
    const time = '2026-03-11T00:00:00.000Z';
    const { status, json } = await gateway.api('GET', '/workflows/w1/schedule?count=3');
    expect([status, json.data]).toEqual([
      200,
      {
        active: true,
        schedules: [
          {
            node: 'Clock',
            timezone: 'Europe/Berlin',
            missed: 'coalesce',
            overlap: 'skip',
            nextAt: time,
            lastDue: null,
            trouble: { reason: 'SERVICE_UNAVAILABLE', message: 'full', count: 3, since: time, retryAt: time },
          },
        ],
        next: [{ node: 'Clock', dueAt: time, localTime: '2026-03-11T01:00:00.000+01:00' }],
      },
    ]);
    expect(gateway.schedules.callsOf('previewSchedule')).toMatchObject([{ request: { workflowId: 'w1', count: 3 } }]);
  });

  it.each(['0', '101', 'all', '', '1.5'])('is 400 for count=%s', async (count) => {
    expect((await gateway.api('GET', `/workflows/w1/schedule?count=${count}`)).json.error?.details).toMatchObject({
      fields: [{ field: 'count' }],
    });
  });
});
