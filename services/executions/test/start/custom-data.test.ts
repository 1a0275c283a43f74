import { ExecutionStatus } from '@weft/proto/executions';
import { WriteOutcome } from '@weft/proto/runner';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { claim, nodeRun, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('custom metadata of an execution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const shown = async (executionId: string) =>
    (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution?.customDataJson;
  const step = (executionId: string, customDataJson: string, fence = 1) => ({
    executionId,
    fence,
    checkpoint: 1,
    nodeRuns: [nodeRun('A', 0)],
    engineState: Buffer.from('s'),
    customDataJson,
  });

  it('is written with a checkpoint, preserved by the next claim, and replaced at the end', async () => {
    const executionId = await running();
    expect(await shown(executionId)).toBeUndefined();
    await replica.runner.checkpoint({ entries: [step(executionId, '{"a":"1"}')] });
    expect(await shown(executionId)).toBe('{"a":"1"}');
    await replica.runner.release({
      entries: [{ executionId, fence: 1, checkpoint: 1, nodeRuns: [], engineState: Buffer.from('s') }],
    });
    expect(await claim(replica, executionId)).toMatchObject({ customDataJson: '{"a":"1"}' });
    await replica.runner.report({
      entries: [reportOf(executionId, 2, { checkpoint: 2, customDataJson: '{"a":"2","b":"x"}' })],
    });
    expect(await shown(executionId)).toBe('{"a":"2","b":"x"}');
  });

  it('finds the execution by each of its pairs, as it is now', async () => {
    const executionId = await running();
    const found = async (customData: string): Promise<string[]> => {
      const { executions } = await replica.executions.listExecutions(
        {
          limit: 0,
          cursor: '',
          workflowId: '',
          status: ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED,
          filter: { reasons: [], modes: [], customData },
        },
        { principal: OWNER },
      );
      return executions.map(({ id }) => id);
    };
    await replica.runner.checkpoint({ entries: [step(executionId, '{"order":"7:8","mail":"ü"}')] });
    expect([await found('order:7:8'), await found('mail:ü')]).toEqual([[executionId], [executionId]]);
    expect([await found('order:7'), await found('7:8')]).toEqual([[], []]);
    await replica.runner.report({
      entries: [reportOf(executionId, 1, { checkpoint: 1, customDataJson: '{"order":"9"}' })],
    });
    expect([await found('order:7:8'), await found('order:9')]).toEqual([[], [executionId]]);
    await replica.executions.deleteExecution({ executionId }, { principal: OWNER });
    expect(await found('order:9')).toEqual([]);
  });

  it('is not written by a runner that lost the claim, nor after the end', async () => {
    const executionId = await running();
    expect((await replica.runner.checkpoint({ entries: [step(executionId, '{"a":"1"}', 2)] })).outcomes).toEqual([
      WriteOutcome.WRITE_OUTCOME_FENCED,
    ]);
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    await replica.runner.report({ entries: [reportOf(executionId, 1, { customDataJson: '{"late":"1"}' })] });
    expect(await shown(executionId)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a value that is not text', '{"a":1}'],
    ['a name that is too long', JSON.stringify({ ['n'.repeat(51)]: '' })],
    ['a value that is too long', JSON.stringify({ a: 'v'.repeat(513) })],
    ['too many', JSON.stringify(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, ''])))],
  ])('is refused with %s', async (_, text) => {
    const { outcomes, refusals } = await replica.runner.checkpoint({
      entries: [step(await running(), text), step(await running(), '{"a":"1"}')],
    });
    expect(outcomes).toEqual([WriteOutcome.WRITE_OUTCOME_REFUSED, WriteOutcome.WRITE_OUTCOME_APPLIED]);
    const refused = refusals?.byPosition[0];
    expect(refused === undefined ? undefined : fromRpcStatus(refused)).toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'customDataJson' }],
    });
  });
});
