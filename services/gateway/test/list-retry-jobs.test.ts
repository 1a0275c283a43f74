import { retryJobOf } from './peers/retries';
import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/retry-jobs', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.retries.stored.set('j1', retryJobOf('j1'));
  });
  afterEach(() => gateway.stop());

  it('gives a page of jobs', async () => {
    const { status, json } = await gateway.api('GET', '/retry-jobs?limit=5', { key: KEYS.viewer });
    expect([status, json]).toMatchObject([200, { data: [{ id: 'j1', state: 'running' }], nextCursor: null }]);
  });
});
