import { LIMITS } from '@weft/service-kit/limits';
import { uuidv7 } from '@weft/service-kit/ids';
import { claim, nodeRun, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('a node run', () => {
  let stack: TestStack;
  let replica: Replica;
  let executionId = '';
  const record = (outputs: unknown) =>
    Buffer.from(JSON.stringify({ startTime: 1, executionIndex: 0, data: { main: outputs }, hints: [] }));
  const items = (count: number, size = 0) =>
    Array.from({ length: count }, (_, n) => ({ json: { n, text: 'x'.repeat(size) } }));
  const read = async (request: object = {}, principal = OWNER) => {
    const parts: Buffer[] = [];
    let total: number | undefined;
    const page = { executionId, executionIndex: 0, output: 0, offset: 0, limit: 0, maxItemBytes: 0, ...request };
    for await (const message of replica.executions.readItems(page, { principal })) {
      parts.push(message.jsonPart);
      ({ total } = message);
    }
    return { items: JSON.parse(Buffer.concat(parts).toString()), total };
  };
  const run = async (...records: Buffer[]): Promise<string> => {
    const id = (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
    const nodeRuns = records.map((recordJson, index) => ({ ...nodeRun(`N${index}`, index), recordJson }));
    await replica.runner.report({ entries: [reportOf(id, 1, { nodeRuns })] });
    return id;
  };

  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    executionId = await run(record([items(120), null, items(2)]), record([items(3)]));
  });
  afterAll(() => stack.stop());

  it('is read without its items, with their numbers', async () => {
    const { recordJson, ...head } = await replica.executions.getNodeRun(
      { executionId, executionIndex: 0 },
      { principal: OWNER },
    );
    expect(head).toMatchObject({ node: 'N0', run: 0, executionIndex: 0, failed: false, outputItems: [120, 0, 2] });
    expect(JSON.parse(recordJson.toString())).toEqual({ startTime: 1, hints: [] });
  });

  it('has its items in pages', async () => {
    expect(await read()).toEqual({ items: items(50), total: 120 });
    expect(await read({ offset: 110, limit: 100 })).toEqual({ items: items(120).slice(110), total: 120 });
    expect(await read({ offset: 120 })).toEqual({ items: [], total: 120 });
    expect(await read({ output: 1 })).toEqual({ items: [], total: 0 });
    expect(await read({ output: 2 })).toEqual({ items: items(2), total: 2 });
    expect(await read({ output: 3 })).toEqual({ items: [], total: 0 });
    expect(await read({ executionIndex: 1 })).toEqual({ items: items(3), total: 3 });
  });

  it('is not found at a position without one, and in an unknown execution', async () => {
    await expect(read({ executionIndex: 2 })).rejects.toMatchObject({ reason: 'NODE_RUN_NOT_FOUND' });
    await expect(
      replica.executions.getNodeRun({ executionId, executionIndex: 9 }, { principal: OWNER }),
    ).rejects.toMatchObject({ reason: 'NODE_RUN_NOT_FOUND', details: { executionIndex: '9' } });
    for (const id of [uuidv7(), 'x'])
      await expect(read({ executionId: id })).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
  });

  it('refuses a page that is too large', async () => {
    await expect(read({ limit: 101 })).rejects.toMatchObject({ fields: [{ field: 'limit' }] });
    await expect(read({ maxItemBytes: 5 })).rejects.toMatchObject({ fields: [{ field: 'maxItemBytes' }] });
    await expect(read({ maxItemBytes: 2_000_000 })).rejects.toMatchObject({ fields: [{ field: 'maxItemBytes' }] });
  });

  it('with a large output is read in bounded memory and time, and long items are truncated', async () => {
    const count = Math.floor(LIMITS.nodeOutput.max / 10_200);
    const large = record([items(count, 10_000)]);
    const chunkId = 'large';
    const id = (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
    await replica.runner.putChunk(
      (function* () {
        for (let at = 0; at < large.length; at += 1_000_000)
          yield { executionId: id, fence: 1, chunkId, data: large.subarray(at, at + 1_000_000) };
      })(),
    );
    const nodeRuns = [{ ...nodeRun('Large', 0), recordJson: Buffer.alloc(0), chunkId }];
    await replica.runner.report({ entries: [reportOf(id, 1, { nodeRuns })] });
    const began = performance.now();
    const page = await read({ executionId: id, offset: count - 50 });
    const ms = performance.now() - began;
    expect([page.items.length, page.total]).toEqual([50, count]);
    expect(ms).toBeLessThan(5_000);
    const short = await read({ executionId: id, limit: 1, maxItemBytes: 5_000 });
    expect(short.items).toMatchObject([{ truncated: true, bytes: expect.any(Number), text: expect.any(String) }]);
  });
});
