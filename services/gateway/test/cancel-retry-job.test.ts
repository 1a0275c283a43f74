import { retryJobOf } from './peers/retries';
import { startGateway, type TestGateway } from './start-gateway';

describe('POST /api/v1/retry-jobs/:id/cancel', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.retries.stored.set('j1', retryJobOf('j1'));
  });
  afterEach(() => gateway.stop());

  it('answers the job that was ended', async () => {
    expect((await gateway.api('POST', '/retry-jobs/j1/cancel')).json.data).toMatchObject({
      id: 'j1',
      state: 'cancelled',
    });
  });
});
