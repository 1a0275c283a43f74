import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  readData,
  readDataParts,
  reportOf,
  start,
  startTestStack,
  type Replica,
  type TestStack,
} from '../support/stack';

describe('ReadExecutionData', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const partsOf = (executionId: string) => readDataParts(replica, executionId);
  const read = (executionId: string) => readData(replica, executionId);

  it('groups the records by node, each in order of execution, with every byte unchanged', async () => {
    const executionId = await running();
    const odd = Buffer.from('{"data":{"main":[[{"json":{"big":12345678901234567890,"$set":1,"a.b":"\\u00e9"}}]]}}');
    await replica.runner.checkpoint({
      entries: [
        {
          executionId,
          fence: 1,
          checkpoint: 1,
          nodeRuns: [nodeRun('A "1"', 0, {}, { recordJson: odd }), nodeRun('B', 1, { n: 1 })],
          engineState: Buffer.from('s'),
        },
      ],
    });
    await replica.runner.report({
      entries: [
        reportOf(executionId, 1, {
          checkpoint: 1,
          nodeRuns: [nodeRun('A "1"', 2, { n: 2 }, { run: 1 })],
          lastNode: 'A "1"',
        }),
      ],
    });
    const text = Buffer.concat(await partsOf(executionId)).toString();
    expect(text).toBe(
      `{"startData":{},"resultData":{"runData":{"A \\"1\\"":[${odd.toString()},{"n":2}],"B":[{"n":1}]},` +
        `"lastNodeExecuted":"A ` +
        '\\"1\\""}}',
    );
  });

  it('contains the error of a failed run with its reason', async () => {
    const executionId = await running();
    await replica.runner.report({
      entries: [failedReportOf(executionId, 1, { nodeRuns: [nodeRun('N', 0)], lastNode: 'N' })],
    });
    expect((await read(executionId)).resultData).toMatchObject({
      lastNodeExecuted: 'N',
      error: { message: 'it broke', name: 'NodeError', reason: 'NODE_ERROR', node: { name: 'N' } },
    });
  });

  it('is empty before the first checkpoint, and contains why a cancelled run ended', async () => {
    const executionId = await running();
    expect(await read(executionId)).toEqual({ startData: {}, resultData: { runData: {} } });
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    expect((await read(executionId)).resultData.error).toEqual({
      message: 'The execution was cancelled.',
      reason: 'CANCELLED',
    });
  });

  it('streams large data in pieces', async () => {
    const executionId = await running();
    const record = (n: number) => ({ n, text: Math.random().toString(36).repeat(100_000) });
    const nodeRuns = [record(1), record(2), record(3)].map((value, index) =>
      nodeRun('Big', index, value, { run: index }),
    );
    await replica.runner.report({ entries: [reportOf(executionId, 1, { nodeRuns })] });
    const parts = await partsOf(executionId);
    // Clients of other languages refuse messages of more than 4 MiB by default.
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1024 * 1024);
    expect(JSON.parse(Buffer.concat(parts).toString()).resultData.runData.Big.map(({ n }: { n: number }) => n)).toEqual(
      [1, 2, 3],
    );
  });

  it('reports the missing id', async () => {
    const executionId = uuidv7();
    await expect(partsOf(executionId)).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
      details: { executionId },
    });
  });
});
