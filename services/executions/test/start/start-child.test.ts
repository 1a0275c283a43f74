import { ExecutionStatus } from '@weft/proto/executions';
import type { StartChildRequest } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const OWNED = 'one-owner';

describe('StartChild', () => {
  let stack: TestStack;
  let replica: Replica;
  let callee: FakeWorkflow;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    callee = stack.workflows.add({ nodes: [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' }] }, OWNED);
  });
  afterAll(() => stack.stop());
  const parentOf = async (definition: object = {}, owner = OWNED): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add(definition, owner)))).executionId;
  const call = (parentExecutionId: string, fields: Partial<StartChildRequest> = {}) =>
    replica.runner.startChild({
      runnerId: 'runner-1',
      parentExecutionId,
      fence: 1,
      node: 'Call',
      run: 0,
      item: 0,
      workflowId: callee.workflowId,
      input: Buffer.from('[{"json":{"a":1}}]'),
      knownVersionIds: [],
      detached: false,
      ...fields,
    });
  const items = (...numbers: number[]) => ({ data: { main: [numbers.map((n) => ({ json: { n } }))] } });

  it('is listed among the executions of its parent, newest first, and of no other', async () => {
    const [parent, other] = [await parentOf(), await parentOf()];
    const ids: string[] = [];
    for (const item of [0, 1, 2]) ids.unshift((await call(parent, { item })).childExecutionId);
    const foreign = (await call(other)).childExecutionId;
    const list = (parentExecutionId: string, more: { readonly limit?: number; readonly cursor?: string } = {}) =>
      replica.executions.listExecutions(
        {
          limit: 100,
          cursor: '',
          workflowId: '',
          status: ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED,
          filter: { reasons: [], modes: [], parentExecutionId },
          ...more,
        },
        { principal: OWNER },
      );
    const idsOf = async (...of: Parameters<typeof list>) => (await list(...of)).executions.map(({ id }) => id);
    expect(await idsOf(parent)).toEqual(ids);
    expect(await idsOf(other)).toEqual([foreign]);
    expect(await idsOf('nobody')).toEqual([]);
    const { executions, nextCursor } = await list(parent, { limit: 2 });
    expect(executions.map(({ id, parentExecutionId }) => [id, parentExecutionId])).toEqual([
      [ids[0], parent],
      [ids[1], parent],
    ]);
    expect(await idsOf(parent, { limit: 2, cursor: nextCursor })).toEqual([ids[2]]);
    await expect(list('x'.repeat(201))).rejects.toMatchObject({ fields: [{ field: 'parentExecutionId' }] });
  });

  it('assigns the child to the calling runner, in the same call', async () => {
    const parent = await parentOf();
    const { childExecutionId, next, version } = await call(parent);
    expect(next).toMatchObject({
      $case: 'claimed',
      value: { executionId: childExecutionId, fence: 1, startNode: 'Called', parentExecutionId: parent },
    });
    expect(version?.versionId).toBe(callee.versionId);
    expect(await stack.stored(childExecutionId)).toMatchObject({
      mode: 'integrated',
      state: 'running',
      lease: { runnerId: 'runner-1' },
      parent: { executionId: parent, depth: 1 },
    });
  });

  it('has one child for one call, however often it is repeated, and returns the same claim', async () => {
    const parent = await parentOf();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => call(parent, { knownVersionIds: [callee.versionId] })),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(first?.version).toBeUndefined();
    const another = await call(parent, { item: 1 });
    expect(another.childExecutionId).not.toBe(first?.childExecutionId);
  });

  it('returns the result of a child that has ended', async () => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    await replica.runner.report({
      entries: [
        reportOf(childExecutionId, 1, {
          nodeRuns: [nodeRun('Last', 0, items(1)), nodeRun('Last', 1, items(2), { run: 1 }), nodeRun('X', 2)],
          lastNode: 'Last',
        }),
      ],
    });
    const again = await call(parent);
    expect(again.next).toMatchObject({ $case: 'ended', value: { id: childExecutionId } });
    expect(JSON.parse(again.resultJson.toString())).toEqual([{ json: { n: 2 } }]);
  });

  it.each([
    ['the origins of its items', [3, -1], [{ json: { n: 1 }, origin: 3 }, { json: { n: 2 } }]],
    ['none if they are those of another number of items', [3], [{ json: { n: 1 } }, { json: { n: 2 } }]],
    ['none if they are too many', Array.from({ length: 10_001 }, () => 3), [{ json: { n: 1 } }, { json: { n: 2 } }]],
  ])('returns the result with %s', async (_, origins, result) => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    const resultOrigins = Buffer.from(Int32Array.from(origins).buffer);
    const nodeRuns = [nodeRun('Last', 0, items(1, 2))];
    await replica.runner.report({
      entries: [reportOf(childExecutionId, 1, { nodeRuns, lastNode: 'Last', resultOrigins })],
    });
    expect(JSON.parse((await call(parent)).resultJson.toString())).toEqual(result);
  });

  const waitFor = (parent: string, childExecutionId: string, fence = 1) =>
    replica.runner.wait({
      entries: [
        {
          executionId: parent,
          fence,
          checkpoint: fence - 1,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'Call',
          resumeTokenHash: '',
          childExecutionId,
        },
      ],
    });
  const giveToAnother = async (childExecutionId: string): Promise<void> => {
    await replica.runner.release({
      entries: [
        { executionId: childExecutionId, fence: 1, checkpoint: 0, nodeRuns: [], engineState: Buffer.from('s') },
      ],
    });
    await claim(replica, childExecutionId, 'runner-2');
  };

  it('lets the parent wait for a child that another runner has, and returns the result once it was woken', async () => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    await giveToAnother(childExecutionId);
    expect((await call(parent)).next).toMatchObject({ $case: 'claimedByOther' });
    await waitFor(parent, childExecutionId);
    await replica.runner.report({
      entries: [
        reportOf(childExecutionId, 2, { checkpoint: 1, nodeRuns: [nodeRun('Last', 0, items(7))], lastNode: 'Last' }),
      ],
    });
    const { resume } = await until('the parent is woken', () => claim(replica, parent).catch(() => undefined));
    expect(JSON.parse(resume.toString())).toEqual({ kind: 'child' });
    const again = await call(parent, { fence: 2, childExecutionId });
    expect(JSON.parse(again.resultJson.toString())).toEqual([{ json: { n: 7 } }]);
    expect((await stack.completed(childExecutionId)).postRunActions).toEqual([]);
  });

  it('wakes a parent that waits for a child that has already ended, and reports why the child failed', async () => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    await replica.runner.report({ entries: [failedReportOf(childExecutionId, 1)] });
    await stack.completed(childExecutionId);
    await waitFor(parent, childExecutionId);
    await claim(replica, parent);
    expect((await call(parent, { fence: 2 })).next).toMatchObject({
      $case: 'ended',
      value: { id: childExecutionId, error: { message: 'it broke' } },
    });
  });

  it('starts another child for another try of the node, and finds that of the first try again', async () => {
    const parent = await parentOf();
    const first = await call(parent);
    const second = await call(parent, { attempt: 1 });
    expect(second.childExecutionId).not.toBe(first.childExecutionId);
    expect((await call(parent, { attempt: 1 })).childExecutionId).toBe(second.childExecutionId);
    expect((await call(parent, { attempt: 0 })).childExecutionId).toBe(first.childExecutionId);
  });

  it('starts nothing instead of a deleted child', async () => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    await replica.executions.deleteExecution({ executionId: childExecutionId }, { principal: OWNER });
    await expect(call(parent, { childExecutionId })).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    const other = await call(await parentOf());
    await expect(call(parent, { childExecutionId: other.childExecutionId })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
    });
  });

  it('returns a result that is too large for a message in pieces', async () => {
    const parent = await parentOf();
    const { childExecutionId } = await call(parent);
    const text = 'x'.repeat(13 * 1024 * 1024);
    const record = Buffer.from(JSON.stringify({ data: { main: [[{ json: { text } }]] } }));
    const pieces = Array.from({ length: Math.ceil(record.length / 1_000_000) }, (_, n) => ({
      executionId: childExecutionId,
      fence: 1,
      chunkId: 'big',
      data: record.subarray(n * 1_000_000, (n + 1) * 1_000_000),
    }));
    await replica.runner.putChunk(pieces);
    await replica.runner.report({
      entries: [
        reportOf(childExecutionId, 1, {
          nodeRuns: [{ ...nodeRun('Last', 0), recordJson: Buffer.alloc(0), chunkId: 'big' }],
          lastNode: 'Last',
        }),
      ],
    });
    const again = await call(parent);
    expect(again).toMatchObject({ next: { $case: 'ended' }, resultInChunk: true });
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({
      executionId: parent,
      fence: 1,
      chunkId: `result-${childExecutionId}`,
    }))
      parts.push(data);
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual([{ json: { text } }]);
    const stranger = await parentOf();
    const read = async () => {
      for await (const _ of replica.runner.getChunk({
        executionId: stranger,
        fence: 1,
        chunkId: `result-${childExecutionId}`,
      }));
    };
    await expect(read()).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
  });

  it('runs a definition that comes with the call, as a version of the calling workflow', async () => {
    const parent = await parentOf();
    const definition = Buffer.from(
      JSON.stringify({
        name: 'inline',
        nodes: [{ name: 'Begin', type: 'n8n-nodes-base.executeWorkflowTrigger' }],
        settings: { callerPolicy: 'none' },
      }),
    );
    const { childExecutionId, next, version } = await call(parent, { workflowId: '', definition });
    expect(next).toMatchObject({ $case: 'claimed', value: { startNode: 'Begin' } });
    expect(JSON.parse(version?.definition.toString() ?? '')).toMatchObject({ name: 'inline' });
    expect((await stack.stored(childExecutionId))?.workflowId).toBe((await stack.stored(parent))?.workflowId);
  });

  it('checks that the called workflow permits the caller', async () => {
    const foreign = stack.workflows.add({}, 'another-owner');
    const parent = await parentOf();
    const refused = { reason: 'WORKFLOW_CALL_REFUSED', kind: 'forbidden' };
    await expect(call(parent, { workflowId: foreign.workflowId })).rejects.toMatchObject(refused);
    const nobody = stack.workflows.add({ settings: { callerPolicy: 'none' } }, OWNED);
    await expect(call(parent, { workflowId: nobody.workflowId })).rejects.toMatchObject(refused);
    const anybody = stack.workflows.add({ settings: { callerPolicy: 'any' } }, 'another-owner');
    await expect(call(parent, { workflowId: anybody.workflowId })).resolves.toBeDefined();
    const caller = (await stack.stored(parent))?.workflowId ?? '';
    const listed = stack.workflows.add(
      { settings: { callerPolicy: 'workflowsFromAList', callerIds: `x, ${caller}` } },
      'another-owner',
    );
    await expect(call(parent, { workflowId: listed.workflowId, item: 1 })).resolves.toBeDefined();
    const others = stack.workflows.add({ settings: { callerPolicy: 'workflowsFromAList', callerIds: 'x' } }, OWNED);
    await expect(call(parent, { workflowId: others.workflowId, item: 2 })).rejects.toMatchObject(refused);
  });

  it('refuses a caller without the claim, an unknown workflow, and input that is not an array', async () => {
    const parent = await parentOf();
    await expect(call(parent, { fence: 2 })).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    await expect(call(parent, { workflowId: uuidv7() })).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    await expect(call(parent, { workflowId: 'x' })).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    await expect(call(parent, { input: Buffer.from('{}') })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('limits the nesting of calls', async () => {
    const parent = await parentOf();
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: parent }, { $set: { parent: { executionId: uuidv7(), depth: 32 } } });
    await expect(call(parent)).rejects.toMatchObject({ reason: 'WORKFLOW_CALL_REFUSED' });
  });

  describe('when the queue is full', () => {
    let own: TestStack;
    let small: Replica;
    let called: FakeWorkflow;
    beforeAll(async () => {
      own = await startTestStack();
      small = await own.startReplica({ QUEUE_LIMIT: '16', SWEEP_MS: '200' });
      called = own.workflows.add({ name: 'called' }, OWNED);
    });
    afterAll(() => own.stop());
    const callAt = (parentExecutionId: string, item: number, fields: Partial<StartChildRequest> = {}) =>
      small.runner.startChild({
        runnerId: 'r',
        parentExecutionId,
        fence: 1,
        node: 'Call',
        run: 0,
        item,
        workflowId: called.workflowId,
        input: Buffer.from('[{"json":{}}]'),
        knownVersionIds: [],
        detached: true,
        ...fields,
      });

    it(
      'gets a retry time and starts nothing, while callers of other owners are admitted; a call that is ' +
        'waited for needs no capacity',
      async () => {
        const parent = (await claim(small, await start(small, own.workflows.add({}, OWNED)))).executionId;
        const answers = await Promise.all(Array.from({ length: 40 }, (_, item) => callAt(parent, item)));
        const later = answers.filter(({ next }) => next?.$case === 'retryAt');
        expect(answers.length - later.length).toBe(2);
        expect(await own.database.collection('executions').countDocuments({ workflowId: called.workflowId })).toBe(2);
        for (const { next } of later)
          expect(
            next?.$case === 'retryAt' &&
              next.value.getTime() > Date.now() - 1_000 &&
              next.value.getTime() < Date.now() + 20_000,
          ).toBe(true);
        await Promise.all(Array.from({ length: 8 }, () => start(small, own.workflows.add({}, 'somebody-else'))));
        expect((await callAt(parent, 99, { detached: false })).next?.$case).toBe('claimed');
      },
    );

    it('is admitted when the others have been claimed by runners', async () => {
      const parent = (await claim(small, await start(small, own.workflows.add({}, OWNED)))).executionId;
      const open = await own.database
        .collection<{ _id: string }>('executions')
        .find({ workflowId: called.workflowId, state: 'queued' })
        .toArray();
      for (const { _id } of open) await claim(small, _id);
      expect((await callAt(parent, 0)).next?.$case).toBe('claimedByOther');
    });

    it('loses no error workflow: it is started when there is room', async () => {
      const handler = own.workflows.add(
        { name: 'handler', nodes: [{ name: 'On error', type: 'n8n-nodes-base.errorTrigger' }] },
        OWNED,
      );
      const watched = own.workflows.add({ settings: { errorWorkflow: handler.workflowId } }, OWNED);
      const runsOf = () =>
        own.database.collection<{ _id: string }>('executions').find({ workflowId: handler.workflowId }).toArray();
      const failed = await Promise.all(
        Array.from(
          { length: 6 },
          async () =>
            (await small.executions.startExecution({ start: webhookStartOf(watched) })).started?.executionId ?? '',
        ),
      );
      for (const id of failed) await claim(small, id);
      await small.runner.report({ entries: failed.map((id) => failedReportOf(id, 1)) });
      const handled = new Set<string>();
      await until('all error workflows were started', async () => {
        const runs = await runsOf();
        expect(runs.length - handled.size).toBeLessThanOrEqual(2);
        for (const { _id } of runs.filter((run) => !handled.has(run._id))) {
          await claim(small, _id);
          handled.add(_id);
        }
        return handled.size === 6 ? true : undefined;
      });
    });
  });
});
