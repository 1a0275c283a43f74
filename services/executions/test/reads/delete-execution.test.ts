import { HeartbeatOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { claim, nodeRun, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('DeleteExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const remove = (executionId: string, principal: typeof OWNER = OWNER) =>
    replica.executions.deleteExecution({ executionId }, { principal });

  it('deletes the record and its chunks, and no others', async () => {
    const [one, two] = [
      await start(replica, stack.workflows.add(), {
        input: Buffer.from(JSON.stringify({ a: 'x'.repeat(70_000) })),
      }),
      await start(replica, stack.workflows.add()),
    ];
    await claim(replica, one);
    await replica.runner.report({ entries: [reportOf(one, 1, { nodeRuns: [nodeRun('A', 0)] })] });
    expect(await remove(one)).toEqual({});
    await expect(replica.executions.getExecution({ executionId: one }, { principal: OWNER })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
    });
    await expect(remove(one)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND', details: { executionId: one } });
    expect(await stack.database.collection('executionChunks').countDocuments({ executionId: one })).toBe(0);
    expect(await stack.stored(two)).toBeDefined();
  });

  it('is recorded in the audit log of this service, as are refusals', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const stranger = { userId: 'a-stranger', role: 'editor' } as const;
    await expect(remove(executionId, stranger)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const viewer = { userId: 'a-viewer', role: 'viewer' } as const;
    await expect(remove(executionId, viewer)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await remove(executionId);
    const records = stack.database.collection('audit').find({}, { sort: { order: 1 } });
    expect((await records.toArray()).slice(-3)).toMatchObject([
      { action: 'execution.delete', actor: 'a-stranger', about: { executionId }, outcome: 'refused' },
      {
        action: 'call.refused',
        actor: 'a-viewer',
        about: { method: 'weft.executions.v1.ExecutionService/DeleteExecution' },
        outcome: 'refused',
      },
      { action: 'execution.delete', actor: OWNER.userId, about: { executionId }, outcome: 'done' },
    ]);
  });

  it('cancels a running one first', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await claim(replica, executionId);
    await remove(executionId);
    expect(await replica.runner.heartbeat({ runnerId: 'r', held: [{ executionId, fence: 1 }] })).toEqual({
      outcomes: [HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST],
    });
  });

  it('wakes a parent that waits for it, and reports why there is no result', async () => {
    const parent = await start(replica, stack.workflows.add({}, 'o'));
    await claim(replica, parent);
    const child = stack.workflows.add({}, 'o');
    const call = (fence: number, known?: string) =>
      replica.runner.startChild({
        runnerId: 'r',
        parentExecutionId: parent,
        fence,
        node: 'Call',
        run: 0,
        item: 0,
        workflowId: child.workflowId,
        input: Buffer.alloc(0),
        knownVersionIds: [],
        detached: false,
        childExecutionId: known,
      });
    const { childExecutionId } = await call(1);
    await replica.runner.wait({
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
    await remove(childExecutionId);
    const { resume } = await claim(replica, parent);
    expect(JSON.parse(resume.toString())).toEqual({ kind: 'child' });
    await expect(call(2, childExecutionId)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
  });

  it('is refused to an editor who does not own the run', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await expect(remove(executionId, { userId: 'e', role: 'editor' })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(remove(uuidv7())).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    expect(await stack.stored(executionId)).toBeDefined();
  });
});
