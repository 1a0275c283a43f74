import { claim, nodeRun, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('ReadNodeRuns', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const read = async (executionId: string, fence: number, skip = 0) => {
    const runs = [];
    for await (const { nodeRuns } of replica.runner.readNodeRuns({ executionId, fence, skip })) runs.push(...nodeRuns);
    return runs;
  };

  it('returns every node run in order to the next runner, whether inline, packed or uploaded', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    const upload = Buffer.from(JSON.stringify({ up: 'u'.repeat(2_000_000) }));
    await replica.runner.putChunk([{ executionId, fence: 1, chunkId: 'u', data: upload }]);
    const sent = [
      [nodeRun('A', 0), nodeRun('B', 1, { failed: 'yes' }, { failed: true })],
      [
        nodeRun('A', 2, { text: 'p'.repeat(100_000) }, { run: 1 }),
        nodeRun('U', 3, {}, { recordJson: Buffer.alloc(0), chunkId: 'u' }),
      ],
    ];
    for (const [index, nodeRuns] of sent.entries())
      await replica.runner.checkpoint({
        entries: [{ executionId, fence: 1, checkpoint: index + 1, nodeRuns, engineState: Buffer.from('s') }],
      });
    const runs = await read(executionId, 1);
    expect(runs.map(({ node, run, executionIndex, failed }) => [node, run, executionIndex, failed])).toEqual([
      ['A', 0, 0, false],
      ['B', 0, 1, true],
      ['A', 1, 2, false],
      ['U', 0, 3, false],
    ]);
    expect(runs[2]?.recordJson.equals(Buffer.from(JSON.stringify({ text: 'p'.repeat(100_000) })))).toBe(true);
    expect(runs[3]?.recordJson.equals(upload)).toBe(true);
  });

  it('is refused to a caller that does not hold the claim', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await expect(read(executionId, 2)).rejects.toMatchObject({ reason: 'CLAIM_LOST', kind: 'precondition' });
  });
});
