import { ExecutionMode, ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { executionOf } from '../peers/executions';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/executions', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const fill = (count: number): void => {
    for (let index = 1; index <= count; index += 1)
      gateway.executions.stored.set(`e${index}`, executionOf(`e${index}`));
  };

  it('returns every field of the contract with a summary in data, and nextCursor null at the end', async () => {
    fill(1);
    const { status, json } = await gateway.api('GET', '/executions');
    expect([status, json]).toEqual([
      200,
      {
        data: [
          {
            id: 'e1',
            workflowId: 'w1',
            mode: 'trigger',
            startedAt: '2026-01-02T03:04:05.600Z',
            finishedAt: '2026-01-02T03:04:06.700Z',
            status: 'success',
            state: 'success',
            versionId: 'v1',
            data: { resultData: { lastNodeExecuted: 'Set' } },
          },
        ],
        nextCursor: null,
      },
    ]);
  });

  it('passes on its filters', async () => {
    const query =
      'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&reason=NODE_ERROR,TIMED_OUT&mode=webhook,trigger&' +
      'requestId=r1&customData=order:7:8&parentExecutionId=e0';
    expect((await gateway.api('GET', `/executions?${query}`)).status).toBe(200);
    expect(gateway.executions.callsOf('listExecutions')[0]?.request).toMatchObject({
      filter: {
        from: new Date('2026-01-01T00:00:00Z'),
        to: new Date('2026-01-02T00:00:00Z'),
        reasons: ['NODE_ERROR', 'TIMED_OUT'],
        modes: [ExecutionMode.EXECUTION_MODE_WEBHOOK, ExecutionMode.EXECUTION_MODE_TRIGGER],
        requestId: 'r1',
        customData: 'order:7:8',
        parentExecutionId: 'e0',
      },
    });
  });

  it.each([
    ['from', 'from=yesterday'],
    ['reason', 'reason=node_error'],
    ['reason', 'reason='],
    ['mode', 'mode=webhook,push'],
    ['requestId', 'requestId='],
    ['parentExecutionId', 'parentExecutionId='],
  ])('refuses a wrong %s: %s', async (field, query) => {
    const { status, json } = await gateway.api('GET', `/executions?${query}`);
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field }] }]);
  });

  it(
    'shows a run that waits for a runner as running since it was accepted, and a failed one with its error ' +
      'and reason',
    async () => {
      gateway.executions.stored.set(
        'q',
        executionOf('q', {
          mode: ExecutionMode.EXECUTION_MODE_WEBHOOK,
          state: ExecutionState.EXECUTION_STATE_QUEUED,
          status: ExecutionStatus.EXECUTION_STATUS_RUNNING,
          startedAt: undefined,
          finishedAt: undefined,
          lastNode: '',
        }),
      );
      gateway.executions.stored.set(
        'f',
        executionOf('f', {
          status: ExecutionStatus.EXECUTION_STATUS_ERROR,
          error: {
            reason: 'NODE_ERROR',
            message: 'No.',
            node: 'Http',
            errorJson: '{"message":"No.","name":"NodeApiError"}',
          },
        }),
      );
      gateway.executions.stored.set(
        'c',
        executionOf('c', {
          status: ExecutionStatus.EXECUTION_STATUS_ERROR,
          error: { reason: 'CRASHED', message: 'It died.', node: '', errorJson: '' },
        }),
      );
      expect((await gateway.api('GET', '/executions')).json.data).toMatchObject([
        {
          id: 'q',
          mode: 'webhook',
          status: 'running',
          startedAt: '2026-01-02T03:04:05.000Z',
          finishedAt: null,
          data: { resultData: { lastNodeExecuted: null } },
        },
        {
          id: 'f',
          status: 'error',
          data: { resultData: { error: { reason: 'NODE_ERROR', message: 'No.', name: 'NodeApiError' } } },
        },
        { id: 'c', status: 'error', data: { resultData: { error: { reason: 'CRASHED', message: 'It died.' } } } },
      ]);
    },
  );

  it('requests 20 by default, and follows the cursor', async () => {
    fill(25);
    const first = (await gateway.api('GET', '/executions')).json;
    expect([Array.isArray(first.data) && first.data.length, first.nextCursor]).toEqual([20, '20']);
    const last = (await gateway.api('GET', `/executions?cursor=${first.nextCursor ?? ''}`)).json;
    expect([Array.isArray(last.data) && last.data.length, last.nextCursor]).toEqual([5, null]);
    const all = (await gateway.api('GET', '/executions?limit=100')).json;
    expect(Array.isArray(all.data) && all.data.length).toBe(25);
  });

  it.each([
    ['success', 3],
    ['error', 4],
    ['running', 1],
    ['waiting', 2],
  ])('filters by status %s and by workflow', async (status, value) => {
    await gateway.api('GET', `/executions?status=${status}&workflowId=w5`);
    expect(gateway.executions.callsOf('listExecutions').at(-1)?.request).toEqual({
      limit: 20,
      cursor: '',
      workflowId: 'w5',
      status: value,
    });
  });

  it('returns all of the data with includeData=true, and omits executions deleted meanwhile', async () => {
    fill(3);
    for (const id of ['e1', 'e3']) gateway.executions.data.set(id, [`{"resultData":{"runData":{"${id}":`, '[]}}}']);
    gateway.executions.data.set('e2', ['BREAK']);
    const { json } = await gateway.api('GET', '/executions?includeData=true&limit=50');
    expect(json).toMatchObject({
      data: [
        { id: 'e1', data: { resultData: { runData: { e1: [] } } } },
        { id: 'e3', data: { resultData: { runData: { e3: [] } } } },
      ],
      nextCursor: null,
    });
    gateway.executions.stored.clear();
    expect((await gateway.api('GET', '/executions?includeData=true')).json).toEqual({ data: [], nextCursor: null });
  });

  it('breaks off, instead of ending normally, if an entry is deleted after a part was sent', async () => {
    fill(3);
    for (const id of ['e1', 'e3']) gateway.executions.data.set(id, ['{"resultData":{"runData":{}}}']);
    gateway.executions.data.set('e2', ['{"resultData":', 'BREAK']);
    // The connection ends before or after the first part has arrived.
    const reply = gateway.api('GET', '/executions?includeData=true&limit=50');
    await expect(reply).rejects.toThrow(/^(?:terminated|fetch failed)$/);
  });
});
