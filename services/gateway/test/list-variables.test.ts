import { startGateway, type TestGateway } from './start-gateway';

const body = { key: 'API_URL', value: 'https://api' };
const shown = {
  id: 'var1',
  ...body,
  type: 'string',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('GET /api/v1/variables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('gives all of them', async () => {
    const { status, json } = await gateway.api('GET', '/variables');
    expect([status, json]).toEqual([200, { data: [shown] }]);
  });

  it('gives a page when it is asked for one', async () => {
    await gateway.api('POST', '/variables', { body: { ...body, key: 'B' } });
    const { json } = await gateway.api('GET', '/variables?limit=1');
    expect(json).toEqual({ data: [shown], nextCursor: '1' });
  });
});
