import { ExecutionMode } from '@weft/proto/executions';
import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const OWNED = 'one-owner';
const ERROR_NODES = [{ name: 'On error', type: 'n8n-nodes-base.errorTrigger' }];

describe('the error workflow', () => {
  let stack: TestStack;
  let replica: Replica;
  let handler: FakeWorkflow;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
    handler = stack.workflows.add({ name: 'handler', nodes: ERROR_NODES }, OWNED);
  });
  afterAll(() => stack.stop());
  const startedByHook = async (workflow: FakeWorkflow): Promise<string> => {
    const { started } = await replica.executions.startExecution({ start: webhookStartOf(workflow) });
    return (await claim(replica, started?.executionId ?? '')).executionId;
  };
  const errorRunsOf = (workflow: FakeWorkflow) =>
    stack.database
      .collection<{ _id: string; idempotencyKey: string }>('executions')
      .find({ workflowId: workflow.workflowId, mode: 'error' })
      .toArray();
  const watched = (fields: object = {}) =>
    stack.workflows.add({ name: 'watched', settings: { errorWorkflow: handler.workflowId }, ...fields }, OWNED);

  it('is started once, at its error trigger, with the item that describes the failure', async () => {
    const node = { name: 'N', type: 'x', parameters: { a: 1 } };
    const failed = await startedByHook(watched({ nodes: [node] }));
    const error = {
      reason: 'NODE_ERROR',
      message: 'it broke',
      node: 'N',
      errorJson: '{"message":"it broke","name":"NodeError","node":{"name":"N","type":"x"}}',
    };
    const entry = failedReportOf(failed, 1, { lastNode: 'N', error });
    await Promise.all([replica.runner.report({ entries: [entry] }), replica.runner.report({ entries: [entry] })]);
    await stack.completed(failed);
    const [run, ...others] = await errorRunsOf(handler);
    expect(others).toEqual([]);
    expect(run?.idempotencyKey).toBe(`err:${failed}`);
    const claimed = await claim(replica, run?._id ?? '');
    expect(claimed).toMatchObject({ startNode: 'On error', mode: ExecutionMode.EXECUTION_MODE_ERROR });
    expect(JSON.parse(claimed.input.toString())).toEqual([
      {
        json: {
          execution: {
            id: failed,
            url: `http://localhost:8080/api/v1/executions/${failed}`,
            error: {
              level: 'error',
              timestamp: expect.any(Number),
              stack: 'NodeError: it broke',
              message: 'it broke',
              name: 'NodeError',
              node: expect.objectContaining(node),
              reason: 'NODE_ERROR',
            },
            lastNodeExecuted: 'N',
            mode: 'webhook',
          },
          workflow: { id: expect.any(String), name: 'watched' },
        },
      },
    ]);
    // Its failure starts nothing more.
    await replica.runner.report({ entries: [failedReportOf(claimed.executionId, 1)] });
    expect((await stack.stored(claimed.executionId))?.postRunActions).toEqual([]);
  });

  it('is not started by a success, a manual run or a cancelled run', async () => {
    const before = (await errorRunsOf(handler)).length;
    const good = await startedByHook(watched());
    await replica.runner.report({ entries: [reportOf(good, 1)] });
    const manual = await start(replica, watched());
    await claim(replica, manual);
    await replica.runner.report({ entries: [failedReportOf(manual, 1)] });
    const cancelled = await startedByHook(watched());
    await replica.executions.cancelExecution({ executionId: cancelled }, { principal: { userId: 'o', role: 'owner' } });
    for (const id of [good, manual, cancelled]) await stack.completed(id);
    expect(await errorRunsOf(handler)).toHaveLength(before);
  });

  it('is not started again for its descendants, however deep', async () => {
    const called = watched({ nodes: [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' }] });
    const failed = await startedByHook(watched());
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    const run = await until('the error workflow is started', async () =>
      (await errorRunsOf(handler)).find(({ idempotencyKey }) => idempotencyKey === `err:${failed}`),
    );
    const call = async (parentExecutionId: string) =>
      (
        await replica.runner.startChild({
          runnerId: 'runner-1',
          parentExecutionId,
          fence: 1,
          node: 'Call',
          run: 0,
          item: 0,
          workflowId: called.workflowId,
          input: Buffer.alloc(0),
          knownVersionIds: [],
          detached: false,
        })
      ).childExecutionId;
    await claim(replica, run._id);
    const before = (await errorRunsOf(handler)).length;
    const child = await call(run._id);
    const grandchild = await call(child);
    for (const id of [grandchild, child]) {
      await replica.runner.report({ entries: [failedReportOf(id, 1)] });
      await stack.completed(id);
    }
    expect(await errorRunsOf(handler)).toHaveLength(before);
  });

  it('is the workflow itself when it has an error trigger', async () => {
    const own = stack.workflows.add({ nodes: ERROR_NODES }, OWNED);
    const failed = await startedByHook(own);
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    expect(await until('it is started', async () => (await errorRunsOf(own))[0])).toMatchObject({
      idempotencyKey: `err:${failed}`,
    });
  });

  it('is abandoned when it was deleted, or belongs to another user', async () => {
    const foreign = stack.workflows.add({ nodes: ERROR_NODES }, 'another');
    const gone = stack.workflows.add({ nodes: ERROR_NODES }, OWNED);
    stack.workflows.remove(gone);
    for (const target of [foreign, gone]) {
      const failed = await startedByHook(watched({ settings: { errorWorkflow: target.workflowId } }));
      await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
      expect((await stack.completed(failed)).postRunActions).toEqual([]);
      expect(await errorRunsOf(target)).toEqual([]);
    }
  });

  it('is started later when the workflows service was unavailable at the end', async () => {
    const failed = await startedByHook(watched());
    stack.workflows.isDown = true;
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    await until('the first try failed', async () => (await stack.stored(failed))?.postRunActions[0]?.tries === 1);
    stack.workflows.isDown = false;
    await stack.completed(failed);
    expect((await errorRunsOf(handler)).map(({ idempotencyKey }) => idempotencyKey)).toContain(`err:${failed}`);
  });
});
