import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { SlotOutcome } from '@weft/proto/runner';
import { queueConsumer, until } from '@weft/service-kit/testing';
import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  OWNER,
  reportOf,
  start,
  startTestStack,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const { SLOT_OUTCOME_ACQUIRED: TAKEN, SLOT_OUTCOME_QUEUED: HELD, SLOT_OUTCOME_ENDED: ENDED } = SlotOutcome;

describe('concurrency keys', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '200' });
    other = await stack.startReplica({ SWEEP_MS: '200' });
  });
  afterAll(() => stack.stop());

  const bounded = (
    limit: number,
    whenFull = 'queue',
    key: string | undefined = undefined,
    owner: string = uuidv7(),
  ): FakeWorkflow =>
    stack.workflows.add(
      { settings: { concurrency: { limit, whenFull, ...(key === undefined ? {} : { key }) } } },
      owner,
    );
  const ask = async (executionId: string, fence = 1, key = '', at = replica): Promise<SlotOutcome> =>
    (await at.runner.acquireSlot({ executionId, fence, key })).outcome;
  /** Starts a run, claims it as a runner does, and requests a slot. */
  const run = async (workflow: FakeWorkflow, key = '', at = replica): Promise<{ id: string; outcome: SlotOutcome }> => {
    const { executionId, concurrencyKey } = await claim(at, await start(at, workflow), 'runner-1', uuidv7());
    expect(concurrencyKey).toBeDefined();
    return { id: executionId, outcome: await ask(executionId, 1, key, at) };
  };
  const end = (executionId: string, fence = 1) => replica.runner.report({ entries: [reportOf(executionId, fence)] });
  const stateOf = async (id: string) => (await stack.stored(id))?.state;
  const admitted = (id: string): Promise<true> =>
    until(`${id} is let in`, async () => {
      const record = await stack.stored(id);
      return record?.state === 'queued' && record.waitsForSlotId === undefined ? true : undefined;
    });
  const placesOf = async (): Promise<number> => stack.database.collection('concurrencySlots').countDocuments({});

  it(
    'limit the concurrent runs of a workflow, over all replicas and however many request a slot at once; ' +
      'repeating a request returns the same',
    async () => {
      const workflow = bounded(3);
      const runs = await Promise.all(
        Array.from({ length: 12 }, (_, n) => run(workflow, '', n % 2 === 0 ? replica : other)),
      );
      expect(runs.filter(({ outcome }) => outcome === TAKEN)).toHaveLength(3);
      expect(runs.filter(({ outcome }) => outcome === HELD)).toHaveLength(9);
      for (const { id, outcome } of runs) if (outcome === TAKEN) expect(await ask(id, 1, '', other)).toBe(TAKEN);
      for (const { id, outcome } of runs) if (outcome === HELD) expect(await stateOf(id)).toBe('queued');
    },
  );

  it('publish a waiting run only when a slot is free, in order of arrival', async () => {
    const workflow = bounded(1);
    const first = await run(workflow);
    const waiting = [await run(workflow), await run(workflow)];
    expect([first.outcome, ...waiting.map(({ outcome }) => outcome)]).toEqual([TAKEN, HELD, HELD]);
    const [second, third] = waiting.map(({ id }) => id);
    if (second === undefined || third === undefined) throw new Error('Two runs wait.');
    await expect(claim(replica, second)).rejects.toThrow('refused');
    await end(first.id);
    await admitted(second);
    expect((await stack.stored(third))?.waitsForSlotId).toBeDefined();
    const { fence } = await claim(replica, second);
    expect(await ask(second, fence)).toBe(TAKEN);
    await end(second, fence);
    await admitted(third);
    const consumer = await queueConsumer(stack.nats, stack.queue, stack.queue.overflow);
    const told: string[] = [];
    await until('the runners were notified', async () => {
      const message = await consumer.next({ expires: 1_000 });
      message?.ack();
      told.push(...decodeExecutionIds(message?.data ?? new Uint8Array()));
      return told.includes(third) ? true : undefined;
    });
  });

  it(
    'are shared by the workflows of one owner, and by no others; other keys and workflows without a key are ' +
      'not delayed',
    async () => {
      const owner = uuidv7();
      const [one, two, stranger] = [
        bounded(1, 'queue', 'crm', owner),
        bounded(1, 'queue', 'crm', owner),
        bounded(1, 'queue', 'crm'),
      ];
      expect((await run(one, 'crm')).outcome).toBe(TAKEN);
      expect((await run(two, 'crm')).outcome).toBe(HELD);
      expect((await run(two, 'mail')).outcome).toBe(TAKEN);
      expect((await run(stranger, 'crm')).outcome).toBe(TAKEN);
      const free = await claim(replica, await start(replica, stack.workflows.add({}, owner)));
      expect(free.concurrencyKey).toBeUndefined();
    },
  );

  it('skip a run at once if configured, with a specific reason', async () => {
    const workflow = bounded(1, 'skip');
    const first = await run(workflow);
    const second = await run(workflow);
    expect([first.outcome, second.outcome]).toEqual([TAKEN, ENDED]);
    expect(await stack.stored(second.id)).toMatchObject({ state: 'cancelled', error: { reason: 'CONCURRENCY_LIMIT' } });
    await end(first.id);
    await stack.completed(first.id);
    expect((await run(workflow)).outcome).toBe(TAKEN);
  });

  it('cancel the oldest run if configured', async () => {
    const workflow = bounded(2, 'cancel-oldest');
    const [first, second, third] = [await run(workflow), await run(workflow), await run(workflow)];
    expect([first.outcome, second.outcome, third.outcome]).toEqual([TAKEN, TAKEN, TAKEN]);
    expect(await stack.stored(first.id)).toMatchObject({ state: 'cancelled', error: { reason: 'CONCURRENCY_LIMIT' } });
    expect([await stateOf(second.id), await stateOf(third.id)]).toEqual(['running', 'running']);
  });

  it(
    'leave no slot behind: nothing of a key is stored once its last run has ended, and slots that a dead ' +
      'process left are found',
    async () => {
      const workflow = bounded(1);
      const before = await placesOf();
      const first = await run(workflow);
      const second = await run(workflow);
      // As if the process had died before it assigned the slot.
      await stack.database
        .collection<{ _id: string }>('executions')
        .updateOne(
          { _id: first.id },
          { $set: { state: 'error', status: 'error', postRunActions: [] }, $unset: { lease: '', claimId: '' } },
        );
      await admitted(second.id);
      const { fence } = await claim(replica, second.id);
      expect(await ask(second.id, fence)).toBe(TAKEN);
      await end(second.id, fence);
      await until('the places are forgotten', async () => ((await placesOf()) <= before ? true : undefined));
    },
  );

  it('let a sub-workflow run in the slot of the caller that waits for it', async () => {
    const workflow = bounded(1);
    const parent = await run(workflow);
    const call = {
      runnerId: 'runner-1',
      parentExecutionId: parent.id,
      fence: 1,
      node: 'Call',
      run: 0,
      item: 0,
      workflowId: workflow.workflowId,
      input: Buffer.alloc(0),
      knownVersionIds: [],
      detached: false,
    };
    const { childExecutionId, next } = await replica.runner.startChild(call);
    expect(next?.$case).toBe('claimed');
    expect(await ask(childExecutionId)).toBe(TAKEN);
  });

  it('limit how many runs of a workflow wait, and admit other workflows of the same owner', async () => {
    const owner = uuidv7();
    const small = await stack.startReplica({ QUEUE_LIMIT: '40', SWEEP_MS: '600000' });
    const workflow = bounded(1, 'queue', undefined, owner);
    const refusal = await until('one is refused', () =>
      run(workflow, '', small).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(refusal).toMatchObject({ reason: 'QUEUE_FULL' });
    const waiting = await stack.database
      .collection('executions')
      .countDocuments({ workflowId: workflow.workflowId, waitsForSlotId: { $exists: true } });
    expect(waiting).toBeGreaterThanOrEqual(10);
    expect(waiting).toBeLessThan(200);
    await expect(start(small, stack.workflows.add({}, owner))).resolves.toBeDefined();
  });

  it('refuse a key that is too long', async () => {
    const { executionId } = await claim(replica, await start(replica, bounded(1)));
    await expect(ask(executionId, 1, 'x'.repeat(201))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('give no slot to a runner that has lost the run', async () => {
    const { id, outcome } = await run(bounded(1));
    expect(outcome).toBe(TAKEN);
    const state = { checkpoint: 0, nodeRuns: [], engineState: Buffer.alloc(0) };
    await replica.runner.release({ entries: [{ executionId: id, fence: 1, ...state }] });
    expect((await claim(replica, id, 'runner-2')).fence).toBe(2);
    await expect(ask(id, 1)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    expect(await ask(id, 2)).toBe(TAKEN);
    await end(id, 2);
  });

  it('give a freed slot to the waiting run, not to a new one', async () => {
    const workflow = bounded(1);
    const first = await run(workflow);
    const second = await run(workflow);
    expect([first.outcome, second.outcome]).toEqual([TAKEN, HELD]);
    const slotId = (await stack.stored(second.id))?.waitsForSlotId ?? '';
    // As after a process that died right after it freed the slot.
    await stack.database.collection<{ _id: string }>('concurrencySlots').deleteOne({ _id: slotId });
    const third = await run(workflow);
    expect(third.outcome).toBe(HELD);
    await admitted(second.id);
    expect((await stack.stored(third.id))?.waitsForSlotId).toBe(slotId);
  });

  it('keep the slot of a run whose runner died until the run ends', async () => {
    const workflow = bounded(1);
    const first = await run(workflow);
    await replica.runner.checkpoint({
      entries: [{ executionId: first.id, fence: 1, checkpoint: 1, nodeRuns: [], engineState: Buffer.from('s') }],
    });
    const second = await run(workflow);
    // In the last test, since this replica applies its lease duration to all leases.
    await stack.startReplica({ SWEEP_MS: '200', LEASE_MS: '1000' });
    await until('its lease has run out', async () => ((await stateOf(first.id)) === 'queued' ? true : undefined));
    expect((await stack.stored(second.id))?.waitsForSlotId).toBeDefined();
    await replica.executions.cancelExecution({ executionId: first.id }, { principal: OWNER });
    await admitted(second.id);
  });
});
