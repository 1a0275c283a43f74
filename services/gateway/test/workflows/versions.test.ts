import { startGateway, type TestGateway } from '../support/start-gateway';

const WORKFLOW = { name: 'one', nodes: [], connections: {} };

describe('GET /api/v1/workflows/:id/versions', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/workflows', { body: WORKFLOW });
  });
  afterEach(() => gateway.stop());

  it('returns a page without definitions', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/versions?limit=5');
    const createdAt = '2026-01-02T03:04:05.678Z';
    expect([status, json]).toEqual([
      200,
      {
        data: [
          { versionId: 'v1', createdAt, hash: '1:ab', current: true },
          { versionId: 'older', createdAt, hash: null, current: false },
        ],
        nextCursor: null,
      },
    ]);
    expect(gateway.workflows.callsOf('listWorkflowVersions')[0]?.request).toEqual({
      workflowId: 'w1',
      limit: 5,
      cursor: '',
    });
  });

  it('responds with 404 for an unknown workflow', async () => {
    expect((await gateway.api('GET', '/workflows/w9/versions')).status).toBe(404);
  });
});

describe('GET /api/v1/workflows/:id/versions/:versionId', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/workflows', { body: WORKFLOW });
  });
  afterEach(() => gateway.stop());

  it('returns the version with its definition', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/versions/v1');
    expect([status, json.data]).toMatchObject([200, { versionId: 'v1', current: true, definition: WORKFLOW }]);
  });

  it('responds with 404 for an unknown version', async () => {
    const { status, json } = await gateway.api('GET', '/workflows/w1/versions/v9');
    expect([status, json.error?.details]).toEqual([404, { workflowId: 'w1', versionId: 'v9' }]);
  });
});
