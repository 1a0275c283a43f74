import { ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { executionOf } from './peers/executions';
import { startGateway, type TestGateway } from './start-gateway';

describe('POST /api/v1/executions/:id/cancel', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers the execution with the reason of its end, as a list shows it', async () => {
    const failure = { reason: 'CANCELLED', message: 'The execution was cancelled.', node: '', errorJson: '' };
    gateway.executions.stored.set('e1', {
      ...executionOf('e1'),
      state: ExecutionState.EXECUTION_STATE_CANCELLED,
      status: ExecutionStatus.EXECUTION_STATUS_ERROR,
      error: failure,
    });
    const { status, json } = await gateway.api('POST', '/executions/e1/cancel');
    expect([status, json]).toMatchObject([
      200,
      { data: { id: 'e1', status: 'error', data: { resultData: { error: { reason: 'CANCELLED' } } } } },
    ]);
    expect(gateway.executions.callsOf('cancelExecution')).toMatchObject([{ request: { executionId: 'e1' } }]);
  });

  it('is 404 for an id that does not exist, with the id in details', async () => {
    const { status, json } = await gateway.api('POST', '/executions/e2/cancel');
    expect([status, json.error?.details]).toEqual([404, { executionId: 'e2' }]);
  });
});
