import { startGateway, type TestGateway } from './start-gateway';

const body = { key: 'API_URL', value: 'https://api' };
const shown = {
  id: 'var1',
  ...body,
  type: 'string',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('PUT /api/v1/variables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('replaces key and value, and takes back what GET gave', async () => {
    const { status, json } = await gateway.api('PUT', '/variables/var1', { body: { ...shown, value: 'new' } });
    expect([status, json]).toEqual([200, { data: { ...shown, value: 'new' } }]);
  });

  it('is 404 for an id that does not exist', async () => {
    const { status, json } = await gateway.api('PUT', '/variables/none', { body });
    expect([status, json.error?.details]).toEqual([404, { variableId: 'none' }]);
  });
});
