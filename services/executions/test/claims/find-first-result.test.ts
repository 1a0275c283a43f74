import { FirstResult } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const { FIRST_RESULT_GONE, FIRST_RESULT_MISSING, FIRST_RESULT_PENDING, FIRST_RESULT_STORED } = FirstResult;

describe('FindFirstResult', () => {
  let stack: TestStack;
  let replica: Replica;
  let workflow: FakeWorkflow;
  let asking: string;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    workflow = stack.workflows.add();
    asking = (await running()).executionId;
  });
  afterAll(() => stack.stop());
  const running = async (of = workflow) => claim(replica, await start(replica, of));
  const ask = async (otherExecutionId: string, fence = 1) =>
    (await replica.runner.findFirstResult({ executionId: asking, fence, otherExecutionId })).result;
  const checkpoint = async (executionId: string) => {
    const entry = { executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('x') };
    await replica.runner.checkpoint({ entries: [entry] });
  };

  it('is pending until the result is stored, whether or not the run continues', async () => {
    const { executionId } = await running();
    expect(await ask(executionId)).toBe(FIRST_RESULT_PENDING);
    await checkpoint(executionId);
    expect(await ask(executionId)).toBe(FIRST_RESULT_STORED);
    await replica.runner.report({ entries: [failedReportOf(executionId, 1, { checkpoint: 1 })] });
    expect(await ask(executionId)).toBe(FIRST_RESULT_STORED);
  });

  it('is pending until the end of a run that would restart after a crash', async () => {
    const restarting = stack.workflows.replace(workflow, { settings: { crashPolicy: 'restart' } });
    const { executionId } = await running(restarting);
    await checkpoint(executionId);
    expect(await ask(executionId)).toBe(FIRST_RESULT_PENDING);
    await replica.runner.report({ entries: [reportOf(executionId, 1, { checkpoint: 1 })] });
    expect(await ask(executionId)).toBe(FIRST_RESULT_STORED);
  });

  it('is missing if the run ended before it, or with its failure', async () => {
    const cancelled = await running();
    await replica.executions.cancelExecution({ executionId: cancelled.executionId }, { principal: OWNER });
    expect(await ask(cancelled.executionId)).toBe(FIRST_RESULT_MISSING);
    const failed = await running();
    const nodeRuns = [{ ...nodeRun('A', 0), failed: true }];
    await replica.runner.report({ entries: [failedReportOf(failed.executionId, 1, { nodeRuns })] });
    expect(await ask(failed.executionId)).toBe(FIRST_RESULT_MISSING);
  });

  it('is limited to executions of the same workflow, and to valid claims', async () => {
    const other = await running(stack.workflows.add());
    expect(await ask(other.executionId)).toBe(FIRST_RESULT_GONE);
    expect(await ask(uuidv7())).toBe(FIRST_RESULT_GONE);
    await expect(ask(other.executionId, 2)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
  });
});
