import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const shown = { id: 't1', ...body, createdAt: AT, updatedAt: AT };

describe('GET /api/v1/data-tables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('gives all of them without their rows', async () => {
    const { status, json } = await gateway.api('GET', '/data-tables');
    expect([status, json]).toEqual([200, { data: [shown] }]);
  });
});
