import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const OWNED = 'one-owner';
const CALLS = {
  nodes: [
    { name: 'Call', type: 'n8n-nodes-base.executeWorkflow' },
    { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' },
  ],
};

describe('the children of an ended execution', () => {
  let stack: TestStack;
  let replica: Replica;
  let workflow: FakeWorkflow;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
    workflow = stack.workflows.add(CALLS, OWNED);
  });
  afterAll(() => stack.stop());
  const parentOf = async (fields: object = {}): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add({ ...CALLS, ...fields }, OWNED)))).executionId;
  const call = async (
    parentExecutionId: string,
    fields: { readonly detached?: boolean; readonly item?: number } = {},
  ): Promise<string> =>
    (
      await replica.runner.startChild({
        runnerId: 'runner-1',
        parentExecutionId,
        fence: 1,
        node: 'Call',
        run: 0,
        item: 0,
        workflowId: workflow.workflowId,
        input: Buffer.from('[]'),
        knownVersionIds: [],
        detached: false,
        ...fields,
      })
    ).childExecutionId;
  const waitFor = (parent: string, childExecutionId: string) =>
    replica.runner.wait({
      entries: [
        {
          executionId: parent,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'Call',
          resumeTokenHash: '',
          childExecutionId,
        },
      ],
    });
  const cancel = (executionId: string) => replica.executions.cancelExecution({ executionId }, { principal: OWNER });
  const cancelled = (executionId: string) =>
    until(`${executionId} is cancelled`, async () => {
      const record = await stack.stored(executionId);
      return record?.state === 'cancelled' ? record : undefined;
    });

  it('are cancelled with it, and their children with them', async () => {
    const parent = await parentOf();
    const child = await call(parent);
    const grandchild = await call(child);
    await waitFor(child, grandchild);
    await waitFor(parent, child);
    await cancel(parent);
    expect((await cancelled(child)).error).toMatchObject({
      reason: 'CANCELLED',
      message: expect.stringContaining(parent),
    });
    expect((await cancelled(grandchild)).error?.message).toContain(child);
    expect((await stack.completed(parent)).postRunActions.filter(({ kind }) => kind === 'cancel-children')).toEqual([]);
  });

  it('are cancelled when it times out, is deleted or fails', async () => {
    // Long enough to call and to wait before it is over, also on a busy machine.
    const late = await parentOf({ settings: { executionTimeout: 3 } });
    const childOfLate = await call(late);
    await waitFor(late, childOfLate);
    await cancelled(childOfLate);
    expect((await stack.stored(late))?.error?.reason).toBe('TIMED_OUT');
    const gone = await parentOf();
    const childOfGone = await call(gone);
    await replica.executions.deleteExecution({ executionId: gone }, { principal: OWNER });
    await cancelled(childOfGone);
    const failed = await parentOf();
    const childOfFailed = await call(failed);
    await replica.runner.report({ entries: [failedReportOf(failed, 1)] });
    await cancelled(childOfFailed);
  });

  it('are cancelled although the end of the parent could not be handled at once', async () => {
    const parent = await parentOf();
    const child = await call(parent);
    // As after a crash between the end of the parent and its completion hooks.
    await stack.database.collection<{ _id: string }>('executions').updateOne(
      { _id: parent },
      {
        $set: { state: 'cancelled', status: 'error', finishedAt: new Date(), 'postRunActions.$[].due': new Date() },
        $unset: { lease: '', claimId: '' },
      },
    );
    await cancelled(child);
  });

  it('continue if it does not wait for them, or if it has succeeded', async () => {
    const parent = await parentOf();
    const detached = await call(parent, { detached: true });
    const other = await call(parent, { item: 1 });
    await cancel(parent);
    await cancelled(other);
    expect((await stack.stored(detached))?.state).toBe('queued');
    const good = await parentOf();
    const child = await call(good);
    await replica.runner.report({ entries: [reportOf(good, 1)] });
    await stack.completed(good);
    expect((await stack.stored(child))?.state).toBe('running');
  });

  it('are no longer started once it has ended, at any point of the call', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const parent = await parentOf();
      const [called] = await Promise.all([call(parent).catch(() => undefined), cancel(parent)]);
      await stack.completed(parent);
      const children = await stack.database
        .collection<{ _id: string }>('executions')
        .find({ 'parent.executionId': parent })
        .toArray();
      for (const { _id } of children) await cancelled(_id);
      if (called !== undefined) expect(children.map(({ _id }) => _id)).toEqual([called]);
    }
  });
});
