import { ServiceError } from '@weft/service-kit/errors';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('POST /api/v1/workflows/:id/activate', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the complete workflow with active = true, with and without a body', async () => {
    await gateway.api('POST', '/workflows', {
      body: { name: 'One', nodes: [], connections: {}, settings: {}, active: false },
    });
    for (const params of [{}, { body: {} }, { headers: { 'content-type': 'application/json' } }]) {
      const { status, json } = await gateway.api('POST', '/workflows/w1/activate', params);
      expect(status).toBe(200);
      expect(json.data).toEqual({
        id: 'w1',
        name: 'One',
        active: true,
        createdAt: '2026-01-02T03:04:05.678Z',
        updatedAt: '2026-01-02T03:04:05.678Z',
        nodes: [],
        connections: {},
        settings: {},
      });
    }
    expect(gateway.workflows.stored.get('w1')?.active).toBe(true);
  });

  it('is 400 for a workflow that cannot run, with the invalid fields', async () => {
    gateway.workflows.fail(
      'activateWorkflow',
      new ServiceError({
        reason: 'WORKFLOW_NOT_RUNNABLE',
        kind: 'invalid',
        message: 'It cannot run.',
        details: { workflowId: 'w1' },
        fields: [{ field: 'nodes[0].parameters.path', message: 'Give a path.' }],
      }),
    );
    const { status, json } = await gateway.api('POST', '/workflows/w1/activate');
    expect([status, json.error]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        message: 'It cannot run.',
        details: {
          reason: 'WORKFLOW_NOT_RUNNABLE',
          workflowId: 'w1',
          fields: [{ field: 'nodes[0].parameters.path', message: 'Give a path.' }],
        },
      },
    ]);
  });
});
