import { KEYS } from '../peers/identity';
import { retryJobOf } from '../peers/retries';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/retry-jobs', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.retries.stored.set('j1', retryJobOf('j1'));
  });
  afterEach(() => gateway.stop());

  it('returns a page of jobs', async () => {
    const { status, json } = await gateway.api('GET', '/retry-jobs?limit=5', { key: KEYS.viewer });
    expect([status, json]).toMatchObject([200, { data: [{ id: 'j1', state: 'running' }], nextCursor: null }]);
  });
});

describe('GET /api/v1/retry-jobs/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.retries.stored.set('j1', retryJobOf('j1'));
  });
  afterEach(() => gateway.stop());

  it('reports its progress', async () => {
    const { status, json } = await gateway.api('GET', '/retry-jobs/j1', { key: KEYS.viewer });
    expect([status, json.data]).toMatchObject([
      200,
      {
        id: 'j1',
        state: 'running',
        matched: 3,
        retried: 1,
        refused: 1,
        skipped: 0,
        from: 'failedNode',
        version: 'original',
      },
    ]);
  });
});

describe('POST /api/v1/retry-jobs/:id/cancel', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.retries.stored.set('j1', retryJobOf('j1'));
  });
  afterEach(() => gateway.stop());

  it('returns the cancelled job', async () => {
    expect((await gateway.api('POST', '/retry-jobs/j1/cancel')).json.data).toMatchObject({
      id: 'j1',
      state: 'cancelled',
    });
  });
});
