import { startGateway, type TestGateway } from '../support/start-gateway';

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

  it('is 204 with the new ETag for a client that prefers no body, and asks for no definition', async () => {
    await gateway.api('POST', '/workflows', { body: { name: 'One', nodes: [], connections: {} } });
    const { status, text, headers } = await gateway.api('POST', '/workflows/w1/deactivate', {
      headers: { prefer: 'return=minimal' },
    });
    expect([status, text, headers.get('preference-applied')]).toEqual([204, '', 'return=minimal']);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(gateway.workflows.callsOf('deactivateWorkflow')).toMatchObject([{ request: { summary: true } }]);
  });
});
