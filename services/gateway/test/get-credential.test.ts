import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
const shown = {
  id: 'c1',
  name: 'My header',
  type: 'httpHeaderAuth',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('GET /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('gives it without its data', async () => {
    await gateway.api('POST', '/credentials', { body });
    const { status, json, text } = await gateway.api('GET', '/credentials/c1');
    expect([status, json]).toEqual([200, { data: shown }]);
    expect(text).not.toContain('very-secret');
  });
});
