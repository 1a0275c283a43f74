import { executionOf } from '../peers/executions';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('the main job over REST', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('creates, reads, activates, executes, reads the execution and accepts a webhook', async () => {
    const { api, workflows, executions } = gateway;
    const created = await api('POST', '/workflows', {
      body: {
        name: 'One',
        nodes: [{ name: 'Start', type: 'weft-nodes-base.start', position: [0, 0], parameters: {} }],
        connections: {},
        settings: {},
        active: false,
      },
    });
    expect(created.status).toBe(201);
    expect(created.json.data).toEqual({ id: 'w1', name: 'One', active: false, createdAt: '2026-01-02T03:04:05.678Z' });
    const read = await api('GET', '/workflows/w1');
    expect(read.json.data).toMatchObject({
      id: 'w1',
      nodes: [{ name: 'Start', type: 'weft-nodes-base.start', position: [0, 0], parameters: {} }],
      connections: {},
      settings: {},
    });
    expect((await api('POST', '/workflows/w1/activate')).json.data).toMatchObject({ id: 'w1', active: true });
    const executed = await api('POST', '/workflows/w1/execute', { body: { data: { a: 1 } } });
    expect(executed.status).toBe(201);
    expect(executed.json.data).toEqual({ executionId: 'e1', status: 'running' });
    executions.stored.set('e1', executionOf('e1'));
    executions.data.set('e1', ['{"resultData":', '{"runData":{"Set":[]}}}']);
    expect((await api('GET', '/executions/e1')).json.data).toEqual({
      id: 'e1',
      state: 'success',
      versionId: 'v1',
      workflowId: 'w1',
      mode: 'trigger',
      startedAt: '2026-01-02T03:04:05.600Z',
      finishedAt: '2026-01-02T03:04:06.700Z',
      status: 'success',
      data: { resultData: { runData: { Set: [] } } },
    });
    workflows.webhooks.set('POST hook', webhookAt());
    const taken = await gateway.ask('POST', '/webhook/hook?q=1', { body: { hello: 'world' } });
    expect([taken.status, taken.json]).toEqual([200, { message: 'Workflow was started' }]);
  });
});
