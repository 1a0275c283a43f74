import { BackfillState } from '@weft/proto/schedules';
import { backfillOf } from '../peers/schedules';
import { startGateway, type TestGateway } from '../support/start-gateway';

const BOT = { node: 'Bot', url: 'https://weft.example/webhook/w/webhook' };

describe('GET /api/v1/workflows/:id/schedule', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('returns the schedules, their state, the next due times, and the registrations of triggers', async () => {
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
        registrations: [
          { ...BOT, state: 'registered', message: '', failures: 0, nextAt: time },
          { ...BOT, state: 'waiting', message: '', failures: 0, nextAt: time },
          { ...BOT, state: 'failed', message: 'Unauthorized', failures: 2, nextAt: time },
          { ...BOT, state: 'manual', message: '', failures: 0, nextAt: null },
        ],
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

const period = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T10:00:00+01:00' };

describe('POST /api/v1/workflows/:id/backfill', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('responds with 201 and the backfill', async () => {
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

  it('responds with 200 and only the count for a dry run', async () => {
    const { status, json } = await gateway.api('POST', '/workflows/w1/backfill', { body: { ...period, dryRun: true } });
    expect([status, json]).toEqual([200, { data: { dryRun: true, total: 10 } }]);
    expect(gateway.schedules.stored.size).toBe(0);
  });
});

describe('GET /api/v1/workflows/:id/backfills', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('returns the backfills of the workflow', async () => {
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

describe('POST /api/v1/backfills/:id/cancel', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.schedules.stored.set('b1', backfillOf('b1'));
  });
  afterAll(() => gateway.stop());

  it('returns the cancelled backfill', async () => {
    expect((await gateway.api('POST', '/backfills/b1/cancel')).json.data).toMatchObject({
      id: 'b1',
      state: 'cancelled',
    });
  });
});

describe('GET /api/v1/schedules', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns pages of schedules with their workflows', async () => {
    const { status, json } = await gateway.api('GET', '/schedules?limit=1');
    expect([status, json]).toMatchObject([
      200,
      { data: [{ workflowId: 'w1', node: 'Clock', timezone: 'Europe/Berlin', lastDue: null }], nextCursor: 'more' },
    ]);
    expect((await gateway.api('GET', '/schedules?cursor=more')).json).toMatchObject({ nextCursor: null });
    expect(gateway.schedules.callsOf('listSchedules')).toMatchObject([
      { userId: 'user-1', request: { limit: 1, cursor: '' } },
      { request: { limit: 20, cursor: 'more' } },
    ]);
  });
});

describe('GET /api/v1/backfills', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns pages of the backfills of all workflows, perhaps in one state', async () => {
    gateway.schedules.stored.set('b1', backfillOf('b1'));
    const { status, json } = await gateway.api('GET', '/backfills?state=running&limit=5');
    expect([status, json]).toMatchObject([200, { data: [{ id: 'b1', state: 'running' }], nextCursor: 'more' }]);
    expect(gateway.schedules.callsOf('listBackfills')).toMatchObject([
      { request: { workflowId: '', limit: 5, cursor: '', state: BackfillState.BACKFILL_STATE_RUNNING } },
    ]);
    expect((await gateway.api('GET', '/backfills?state=gone')).status).toBe(400);
  });
});
