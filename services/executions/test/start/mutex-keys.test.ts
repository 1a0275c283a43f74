import { ExecutionMode, type ExecutionServiceService } from '@weft/proto/executions';
import type { Caller } from '@weft/service-kit/grpc';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  startOf,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

type Executions = Caller<typeof ExecutionServiceService>['calls'];

describe('starts with a mutex key', () => {
  let stack: TestStack;
  let replicas: Replica[];
  let callers: Executions[];
  let due = 0;
  beforeAll(async () => {
    stack = await startTestStack();
    replicas = [await stack.startReplica(), await stack.startReplica()];
    callers = replicas.map((replica) => replica.asService('workflows'));
  });
  afterAll(() => stack.stop());
  const replica = (): Replica => {
    const [first] = replicas;
    if (first === undefined) throw new Error('no replica');
    return first;
  };
  const startAt = async (index: number, workflow: FakeWorkflow, exclusiveKey = 'schedule:Clock'): Promise<string> => {
    due += 1;
    const caller = callers[index % callers.length];
    const { started } =
      (await caller?.startExecution({
        start: startOf(workflow, {
          mode: ExecutionMode.EXECUTION_MODE_TRIGGER,
          versionId: workflow.versionId,
          ownerId: workflow.ownerId,
          startNode: 'Clock',
          idempotencyKey: `due-${due}`,
          exclusiveKey,
        }),
      })) ?? {};
    return started?.executionId ?? '';
  };
  const refusal = { reason: 'EXECUTION_OVERLAPS', kind: 'conflict' };

  it('let one run at a time, over all replicas, however many come at once', async () => {
    const workflow = stack.workflows.add();
    const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => startAt(index, workflow)));
    const started = answers.filter(({ status }) => status === 'fulfilled');
    expect(started).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refusal);
    expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
  });

  it('do not affect other workflows and other keys', async () => {
    const [one, two] = [stack.workflows.add(), stack.workflows.add()];
    await startAt(0, one);
    expect(await startAt(0, two)).not.toBe('');
    expect(await startAt(1, one, 'schedule:Other')).not.toBe('');
  });

  it.each<[string, (executionId: string) => Promise<unknown>]>([
    [
      'succeeds',
      async (id) => {
        await claim(replica(), id);
        await replica().runner.report({ entries: [reportOf(id, 1)] });
      },
    ],
    [
      'fails',
      async (id) => {
        await claim(replica(), id);
        await replica().runner.report({ entries: [failedReportOf(id, 1)] });
      },
    ],
    ['is cancelled', (id) => replica().executions.cancelExecution({ executionId: id }, { principal: OWNER })],
    ['is deleted', (id) => replica().executions.deleteExecution({ executionId: id }, { principal: OWNER })],
  ])('admits the next one when the run %s, and not before', async (_, end) => {
    const workflow = stack.workflows.add();
    const first = await startAt(0, workflow);
    await expect(startAt(1, workflow)).rejects.toMatchObject(refusal);
    await end(first);
    expect(await startAt(1, workflow)).not.toBe('');
  });

  it('are the same start when repeated, even while their run holds the key', async () => {
    const workflow = stack.workflows.add();
    const first = await startAt(0, workflow);
    due -= 1;
    expect(await startAt(1, workflow)).toBe(first);
  });

  it('are for services only', async () => {
    const start = startOf(stack.workflows.add(), { exclusiveKey: 'mine' });
    await expect(replica().executions.startExecution({ start }, { principal: OWNER })).rejects.toMatchObject({
      kind: 'invalid',
      fields: [{ field: 'exclusiveKey' }],
    });
  });
});
