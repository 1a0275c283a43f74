import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { ExecutionMode, ExecutionState, ExecutionStatus, type ExecutionStart } from '@weft/proto/executions';
import { WriteOutcome } from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { closeAfterEach, queueConsumer } from '@weft/service-kit/testing';
import {
  claim,
  LONG_LEASE_MS,
  nodeRun,
  OWNER,
  reportOf,
  start,
  startOf,
  startTestStack,
  webhookStartOf,
  type Replica,
  type TestStack,
} from '../support/stack';

describe('StartExecution', () => {
  const later = closeAfterEach();
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const asOwner = { principal: OWNER };

  it('accepts a run that is then published, claimed, reported and read', async () => {
    const workflow = stack.workflows.add({ name: 'first' });
    const executionId = await start(replica, workflow, { input: Buffer.from('{"a":1}') });

    const consumer = await queueConsumer(stack.nats, stack.queue, stack.queue.overflow);
    const message = await consumer.next({ expires: 5_000 });
    expect(decodeExecutionIds(message?.data ?? new Uint8Array())).toEqual([executionId]);
    message?.ack();

    const { executions, versions, refusedIds, leaseMs } = await replica.runner.claim({
      executionIds: [executionId],
      runnerId: 'r',
      claimId: 'c',
      knownVersionIds: [],
    });
    expect(refusedIds).toEqual([]);
    expect(leaseMs).toBe(Number(LONG_LEASE_MS));
    expect(executions[0]).toMatchObject({
      executionId,
      fence: 1,
      checkpoint: 0,
      startNode: 'Start',
      input: Buffer.from('{"a":1}'),
    });
    expect(JSON.parse(versions[0]?.definition.toString() ?? '')).toMatchObject({ name: 'first' });

    const { outcomes } = await replica.runner.report({
      entries: [reportOf(executionId, 1, { nodeRuns: [nodeRun('Start', 0)], lastNode: 'Start' })],
    });
    expect(outcomes).toEqual([WriteOutcome.WRITE_OUTCOME_APPLIED]);
    const { execution } = await replica.executions.getExecution({ executionId }, asOwner);
    expect(execution).toMatchObject({
      id: executionId,
      state: ExecutionState.EXECUTION_STATE_SUCCESS,
      status: ExecutionStatus.EXECUTION_STATUS_SUCCESS,
      lastNode: 'Start',
      nodeRunCount: 1,
    });
    expect((await stack.stored(executionId))?.lease).toBeUndefined();
    await expect(claim(replica, executionId)).rejects.toThrow('refused');
  });

  it('refuses input that is not UTF-8, and removes a byte order mark', async () => {
    const workflow = stack.workflows.add();
    await expect(start(replica, workflow, { input: Buffer.from('{"a":"\u00fc"}', 'latin1') })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: '', message: expect.stringContaining('offset 6') }],
    });
    const executionId = await start(replica, workflow, { input: Buffer.from('\ufeff{"a":1}') });
    expect((await claim(replica, executionId)).input).toEqual(Buffer.from('{"a":1}'));
  });

  it('uses the pinned data of a workflow unless the caller disables it, from the check to the claim', async () => {
    const workflow = stack.workflows.add();
    const before = stack.workflows.usesPinData.length;
    const ids: string[] = [];
    for (const more of [{}, { usePinData: true }, { usePinData: false }])
      ids.push(await start(replica, workflow, more));
    expect(stack.workflows.usesPinData.slice(before)).toEqual([true, true, false]);
    const claimed = await Promise.all(ids.map((id) => claim(replica, id)));
    expect(claimed.map(({ usePinData }) => usePinData)).toEqual([true, true, false]);
  });

  it('pins version, owner and start node, and stores the time of the next publication', async () => {
    const workflow = stack.workflows.add({ settings: { executionTimeout: 60, crashPolicy: 'restart' } });
    const before = Date.now();
    const record = await stack.stored(await start(replica, workflow, { startNode: 'Here' }));
    expect(record).toMatchObject({
      workflowId: workflow.workflowId,
      versionId: workflow.versionId,
      ownerId: workflow.ownerId,
      startNode: 'Here',
      mode: 'manual',
      state: 'queued',
      status: 'running',
      fence: 0,
      generation: 0,
      crashPolicy: 'restart',
    });
    // By the clock of the store, which the service knows to within half of a call to it.
    expect(record?.publishAt?.getTime()).toBeGreaterThanOrEqual(before + 25_000);
    expect(record?.deadlineAt?.getTime()).toBeGreaterThanOrEqual(before + 55_000);
  });

  it('stores a large input in chunks and returns it to the runner', async () => {
    const input = Buffer.from(JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }));
    const executionId = await start(replica, stack.workflows.add(), { input });
    expect((await stack.stored(executionId))?.input).toBeUndefined();
    const { inputChunkId, input: inline, fence } = await claim(replica, executionId);
    expect(inline).toHaveLength(0);
    const parts: Buffer[] = [];
    for await (const { data } of replica.runner.getChunk({ executionId, fence, chunkId: inputChunkId }))
      parts.push(data);
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts).equals(input)).toBe(true);
  });

  describe('with an idempotency key', () => {
    it('returns the same execution for the same request, and starts nothing more', async () => {
      const workflow = stack.workflows.add();
      const request = { start: startOf(workflow, { idempotencyKey: 'k1', input: Buffer.from('{"a":1}') }) };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => replica.executions.startExecution(request, asOwner)),
      );
      expect(new Set(answers.map(({ started }) => started?.executionId)).size).toBe(1);
      expect(answers.filter(({ started }) => started?.existing === false)).toHaveLength(1);
      expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
    });

    it('refuses another request, and names the execution that holds the key', async () => {
      const workflow = stack.workflows.add();
      const executionId = await start(replica, workflow, { idempotencyKey: 'k2' });
      const other = replica.executions.startExecution(
        { start: startOf(workflow, { idempotencyKey: 'k2', input: Buffer.from('{}') }) },
        asOwner,
      );
      await expect(other).rejects.toMatchObject({
        reason: 'IDEMPOTENCY_KEY_REUSED',
        kind: 'conflict',
        details: { executionId },
      });
    });

    it('still returns it when the workflow was deleted, or its service is down', async () => {
      const workflow = stack.workflows.add();
      const request = { start: startOf(workflow, { idempotencyKey: 'k3' }) };
      const executionId = await start(replica, workflow, { idempotencyKey: 'k3' });
      stack.workflows.remove(workflow);
      expect((await replica.executions.startExecution(request, asOwner)).started).toMatchObject({
        executionId,
        existing: true,
      });
      stack.workflows.isDown = true;
      expect((await replica.executions.startExecution(request, asOwner)).started).toMatchObject({
        executionId,
        existing: true,
      });
      stack.workflows.isDown = false;
    });

    it('distinguishes the keys of users, webhooks and schedules', async () => {
      const workflow = stack.workflows.add();
      const byUser = await start(replica, workflow, { idempotencyKey: 'k4' });
      const byOther = await replica.executions.startExecution(
        { start: startOf(workflow, { idempotencyKey: 'k4' }) },
        { principal: { userId: 'other', role: 'admin' } },
      );
      const byHook = await replica.executions.startExecution({
        start: webhookStartOf(workflow, { idempotencyKey: 'k4' }),
      });
      const bySchedule = await replica.asService('workflows').startExecution({
        start: webhookStartOf(workflow, { idempotencyKey: 'k4', mode: ExecutionMode.EXECUTION_MODE_TRIGGER }),
      });
      expect(
        new Set([byUser, byOther.started?.executionId, byHook.started?.executionId, bySchedule.started?.executionId])
          .size,
      ).toBe(4);
      expect((await stack.stored(bySchedule.started?.executionId ?? ''))?.idempotencyKey).toBe(
        `sched:${workflow.workflowId}:Webhook:k4`,
      );
    });
  });

  describe('webhooks', () => {
    const hook = (headers: object, body: unknown) =>
      Buffer.from(JSON.stringify([{ json: { headers, params: {}, query: {}, body } }]));

    it('repeat a request under its key whatever their headers, and refuse the key for another body', async () => {
      const workflow = stack.workflows.add();
      const send = (input: Buffer) =>
        replica.executions.startExecution({ start: webhookStartOf(workflow, { idempotencyKey: 'k5', input }) });
      const first = await send(hook({ 'x-request-id': '1' }, { n: 1 }));
      expect((await send(hook({ 'x-request-id': '2' }, { n: 1 }))).started).toMatchObject({
        executionId: first.started?.executionId,
        existing: true,
      });
      await expect(send(hook({ 'x-request-id': '1' }, { n: 2 }))).rejects.toMatchObject({
        reason: 'IDEMPOTENCY_KEY_REUSED',
      });
    });

    it('accept any key, and bodies as large and as nested as the gateway accepts', async () => {
      const workflow = stack.workflows.add();
      const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
      const input = Buffer.from(
        `[{"json":{"headers":{},"body":{"__proto__":{"a":1},"deep":${deep.slice(1, -1)},` +
          `"text":"${'x'.repeat(9_990_000)}"}}}]`,
      );
      const { started } = await replica.executions.startExecution({ start: webhookStartOf(workflow, { input }) });
      expect(started?.existing).toBe(false);
    });
  });

  it('has no workflow with a malformed id', async () => {
    const start = startOf(stack.workflows.add(), { workflowId: 'x' });
    await expect(replica.executions.startExecution({ start }, asOwner)).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
      kind: 'not-found',
      details: { workflowId: 'x' },
    });
  });

  describe('400', () => {
    const refused: readonly (readonly [string, object])[] = [
      ['input that is not an object', { input: Buffer.from('[1]') }],
      ['input that is not JSON', { input: Buffer.from('{') }],
      ['input that nests too deep', { input: Buffer.from('{"a":'.repeat(10_000)) }],
      ['a key that is too long', { idempotencyKey: 'k'.repeat(300) }],
      ['a version, from a user', { versionId: uuidv7() }],
      ['a mode, from a user', { mode: ExecutionMode.EXECUTION_MODE_WEBHOOK }],
      ['an owner, from a user', { ownerId: uuidv7() }],
    ];
    it.each(refused)('refuses %s and stores nothing', async (_, fields) => {
      const workflow = stack.workflows.add();
      await expect(
        replica.executions.startExecution({ start: startOf(workflow, fields) }, asOwner),
      ).rejects.toMatchObject({ reason: 'INVALID_REQUEST', kind: 'invalid' });
      expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(0);
    });

    it('refuses a service the modes of others', async () => {
      const start = webhookStartOf(stack.workflows.add(), { mode: ExecutionMode.EXECUTION_MODE_ERROR });
      await expect(replica.executions.startExecution({ start })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    });
  });

  it('refuses input above the limit', async () => {
    const input = Buffer.from(JSON.stringify({ a: 'x'.repeat(10_000_001) }));
    await expect(start(replica, stack.workflows.add(), { input })).rejects.toMatchObject({
      reason: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('refuses an unknown workflow, one of another owner for an editor, a viewer, and other services', async () => {
    for (const workflowId of [uuidv7(), 'x'])
      await expect(start(replica, { ...stack.workflows.add(), workflowId })).rejects.toMatchObject({
        reason: 'WORKFLOW_NOT_FOUND',
        kind: 'not-found',
      });
    const foreign = { start: startOf(stack.workflows.add()) };
    await expect(
      replica.executions.startExecution(foreign, { principal: { userId: 'e', role: 'editor' } }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(
      replica.executions.startExecution(foreign, { principal: { userId: 'v', role: 'viewer' } }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(replica.asService('runner').startExecution(foreign)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('refuses a version of another workflow', async () => {
    const start = webhookStartOf(stack.workflows.add(), { versionId: stack.workflows.add().versionId });
    await expect(replica.executions.startExecution({ start })).rejects.toMatchObject({ reason: 'VERSION_NOT_FOUND' });
  });

  it('is unavailable while the workflows service is down, and accepts nothing', async () => {
    const workflow = stack.workflows.add();
    stack.workflows.isDown = true;
    await expect(start(replica, workflow)).rejects.toMatchObject({ kind: 'unavailable' });
    stack.workflows.isDown = false;
    expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(0);
  });

  describe('under an id created by its caller', () => {
    const send = (at: Replica, fields: object, workflow = stack.workflows.add()) =>
      at.executions.startExecution({ start: webhookStartOf(workflow, fields) });

    it('is one start however often it is sent, also to several replicas and without an idempotency key', async () => {
      const other = await stack.startReplica();
      const workflow = stack.workflows.add();
      const executionId = uuidv7();
      const answers = await Promise.all(
        [replica, other, replica, other].map((at) => send(at, { executionId }, workflow)),
      );
      expect(answers.map(({ started }) => started?.executionId)).toEqual([
        executionId,
        executionId,
        executionId,
        executionId,
      ]);
      expect((await send(other, { executionId, repeatedStart: true }, workflow)).started).toMatchObject({
        executionId,
        existing: true,
      });
      expect(await stack.database.collection('executions').countDocuments({ workflowId: workflow.workflowId })).toBe(1);
    });

    it('is refused if the id belongs to another start, without changing that one', async () => {
      const workflow = stack.workflows.add();
      const executionId = uuidv7();
      await send(replica, { executionId, input: Buffer.from('[{"json":{"body":1}}]') }, workflow);
      const again = (fields: object) =>
        expect(send(replica, { executionId, input: Buffer.from('[{"json":{"body":1}}]'), ...fields }, workflow))
          .rejects;
      await again({ input: Buffer.from('[{"json":{"body":2}}]') }).toMatchObject({
        reason: 'EXECUTION_ID_TAKEN',
        kind: 'conflict',
        details: { executionId },
      });
      await again({ contentDigest: Buffer.alloc(32, 1) }).toMatchObject({ reason: 'EXECUTION_ID_TAKEN' });
      await again({ idempotencyKey: 'other' }).toMatchObject({ reason: 'EXECUTION_ID_TAKEN' });
      expect((await stack.stored(executionId))?.input?.toString()).toBe('[{"json":{"body":1}}]');
    });

    it('is found again while the queue is full, if it is marked as sent before', async () => {
      const workflow = stack.workflows.add();
      const executionId = uuidv7();
      await send(replica, { executionId }, workflow);
      const full = await stack.startReplica({ QUEUE_LIMIT: '1' });
      expect((await send(full, { executionId, repeatedStart: true }, workflow)).started).toMatchObject({
        executionId,
        existing: true,
      });
      await expect(send(full, { executionId: uuidv7(), repeatedStart: true }, workflow)).rejects.toMatchObject({
        reason: 'QUEUE_FULL',
      });
    });
  });

  it('distinguishes two requests with one key by their digests', async () => {
    const workflow = stack.workflows.add();
    const send = (digest: number) =>
      replica.executions.startExecution({
        start: webhookStartOf(workflow, { idempotencyKey: 'files', contentDigest: Buffer.alloc(32, digest) }),
      });
    const { started } = await send(1);
    expect((await send(1)).started).toMatchObject({ executionId: started?.executionId, existing: true });
    await expect(send(2)).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is unavailable with a retry delay while the queue is full', async () => {
    const small = await stack.startReplica({ QUEUE_LIMIT: '1' });
    await start(replica, stack.workflows.add());
    await expect(start(small, stack.workflows.add())).rejects.toMatchObject({
      reason: 'QUEUE_FULL',
      retryAfterSeconds: 5,
    });
  });

  it('accepts no more than the queue holds when many arrive, and limits the bytes of their inputs', async () => {
    const own = later(await startTestStack(), (one) => one.stop());
    const send = async (at: Replica, count: number, bytes: number) => {
      const input = Buffer.from(JSON.stringify([{ json: { body: 'x'.repeat(bytes) } }]));
      // As a gateway does, which repeats a start under its id if it got no response in time.
      const sendOne = async (start: ExecutionStart, attempts = 3): Promise<unknown> => {
        try {
          return await at.executions.startExecution({ start });
        } catch (error) {
          const isUnanswered = error instanceof ServiceError && error.reason === 'SERVICE_UNAVAILABLE';
          if (isUnanswered && attempts > 1) return sendOne(start, attempts - 1);
          throw error;
        }
      };
      const answers = await Promise.allSettled(
        Array.from({ length: count }, () =>
          sendOne(webhookStartOf(own.workflows.add(), { executionId: uuidv7(), input })),
        ),
      );
      const reasons = answers.flatMap((answer): unknown[] =>
        answer.status === 'rejected'
          ? [answer.reason instanceof ServiceError ? answer.reason.reason : answer.reason]
          : [],
      );
      expect(new Set(reasons)).toEqual(new Set(['QUEUE_FULL']));
      return count - reasons.length;
    };
    const small = await own.startReplica({ QUEUE_LIMIT: '40' });
    expect(await send(small, 200, 10)).toBe(40);
    await own.database.collection('executions').deleteMany({});
    const narrow = await own.startReplica({ QUEUE_MB: '1' });
    expect(await send(narrow, 40, 50_000)).toBe(19);
  });

  it('holds the flood of one owner back behind others: its runs are not all announced at once', async () => {
    const own = later(await startTestStack(), (one) => one.stop());
    const at = await own.startReplica();
    const flood = own.workflows.add();
    await Promise.all(
      Array.from({ length: 1_000 }, () => at.executions.startExecution({ start: webhookStartOf(flood) })),
    );
    const { started } = await at.executions.startExecution({ start: webhookStartOf(own.workflows.add()) });
    const consumer = await queueConsumer(own.nats, own.queue, own.queue.overflow);
    const seen = new Set<string>();
    for (let ids: string[] = []; !ids.includes(started?.executionId ?? ''); ids.forEach((id) => seen.add(id))) {
      const message = await consumer.next({ expires: 5_000 });
      message?.ack();
      ids = decodeExecutionIds(message?.data ?? new Uint8Array());
      if (ids.length === 0) throw new Error('The run of the other owner was not published.');
      await at.runner.claim({
        executionIds: ids,
        runnerId: 'r',
        claimId: uuidv7(),
        knownVersionIds: [flood.versionId],
      });
    }
    // The window is 256, and those after the claims come behind.
    expect(seen.size).toBeLessThan(400);
    const rest = async (): Promise<number> => {
      for (;;) {
        const message = await consumer.next({ expires: 2_000 });
        if (message === null) return seen.size;
        message.ack();
        const ids = decodeExecutionIds(message.data);
        ids.forEach((id) => seen.add(id));
        await at.runner.claim({
          executionIds: ids,
          runnerId: 'r',
          claimId: uuidv7(),
          knownVersionIds: [flood.versionId],
        });
      }
    };
    expect(await rest()).toBe(1_001);
  });

  it('fetches a version once, however many start it', async () => {
    const workflow = stack.workflows.add();
    const before = stack.workflows.fetched.length;
    await Promise.all(Array.from({ length: 30 }, () => start(replica, workflow)));
    await start(replica, workflow);
    expect(stack.workflows.fetched.slice(before)).toEqual([[workflow.versionId]]);
  });
});
