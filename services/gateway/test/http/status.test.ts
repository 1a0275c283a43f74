import { Unavailable } from '@weft/service-kit/errors';
import { KEYS } from '../peers/identity';
import { executionOf } from '../peers/executions';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/status', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('shows the counts of executions, and services that do not tell their release', async () => {
    const { status, json } = await gateway.api('GET', '/status');
    expect([status, json.data]).toMatchObject([
      200,
      {
        release: expect.stringMatching(/^\d+\.\d+\.\d+/),
        services: [{ name: 'workflows' }, { name: 'executions' }, { name: 'credentials' }],
        executions: {
          queued: 1,
          running: 2,
          waiting: 3,
          oldestQueuedAt: '2026-01-02T03:04:05.678Z',
          failedLastHour: 4,
        },
      },
    ]);
  });

  it('is refused to those who are neither owner nor admin', async () => {
    for (const key of [KEYS.editor, KEYS.viewer])
      expect((await gateway.api('GET', '/status', { key })).status).toBe(403);
  });

  it('shows the services even if the executions service does not count', async () => {
    gateway.executions.fail('getExecutionCounts', new Unavailable('away'));
    const { status, json } = await gateway.api('GET', '/status');
    expect([status, json.data]).toMatchObject([200, { executions: null }]);
  });
});

describe('GET /api/v1/executions/latest', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the newest executions by workflow', async () => {
    const execution = executionOf('e1');
    gateway.executions.stored.set('e1', execution);
    const { status, json } = await gateway.api('GET', `/executions/latest?workflowIds=${execution.workflowId}&each=3`);
    expect([status, json.data]).toMatchObject([200, { [execution.workflowId]: [{ id: 'e1', state: 'success' }] }]);
    expect(gateway.executions.callsOf('listLatestExecutions')[0]?.request).toEqual({
      workflowIds: [execution.workflowId],
      each: 3,
    });
  });

  it.each(['workflowIds=a,,b', 'workflowIds=a&each=13', 'workflowIds=a&each=0'])('refuses %s', async (query) => {
    expect((await gateway.api('GET', `/executions/latest?${query}`)).status).toBe(400);
  });
});
