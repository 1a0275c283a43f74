import { startGateway, type TestGateway } from './start-gateway';

describe('POST /api/v1/workflows/:id/deactivate', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the complete workflow with active = false, with and without a body', async () => {
    await gateway.api('POST', '/workflows', {
      body: { name: 'One', nodes: [], connections: {}, settings: {}, active: true },
    });
    for (const params of [{}, { body: {} }, { headers: { 'content-type': 'application/json' } }]) {
      const { status, json } = await gateway.api('POST', '/workflows/w1/deactivate', params);
      expect(status).toBe(200);
      expect(json.data).toEqual({
        id: 'w1',
        name: 'One',
        active: false,
        createdAt: '2026-01-02T03:04:05.678Z',
        updatedAt: '2026-01-02T03:04:05.678Z',
        nodes: [],
        connections: {},
        settings: {},
      });
    }
    expect(gateway.workflows.stored.get('w1')?.active).toBe(false);
  });
});
