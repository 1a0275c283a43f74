import { randomBytes } from 'node:crypto';
import { decodeExecutionIds, workQueuesOf } from '@weft/proto/execution-queue';
import { HeartbeatOutcome, WriteOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { keptLog, queueConsumer, until } from '@weft/service-kit/testing';
import {
  claim,
  claimIsolated,
  ensureQueues,
  heartbeat,
  nodeRun,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type Replica,
  type TestStack,
} from '../support/stack';

/** Lease 30 s as in production; the test controls the clock, so nothing here takes that long. */
describe('the sweeper', () => {
  let stack: TestStack;
  let replica: Replica;
  let now = Date.now();
  const log = keptLog('warn');
  beforeAll(async () => {
    stack = await startTestStack();
    const environment = { SWEEP_MS: '50' };
    replica = await stack.startReplica(environment, () => now, undefined, log.logger);
    await stack.startReplica(environment, () => now, undefined, log.logger);
  });
  afterAll(() => stack.stop());
  const running = async (settings: object = {}, runnerId?: string): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add({ settings })), runnerId)).executionId;
  /** Id of another process of one runner. */
  const processId = (): string => `runner.1.${uuidv7()}`;
  const becomes = (executionId: string, state: string) =>
    until(`the execution is ${state}`, async () => {
      const record = await stack.stored(executionId);
      return record?.state === state ? record : undefined;
    });
  const tellsOf = async (executionId: string): Promise<void> => {
    const consumer = await queueConsumer(stack.nats, ...workQueuesOf(stack.queue));
    await until('the execution is published', async () => {
      const message = await consumer.next({ expires: 1_000 });
      message?.ack();
      return message !== null && decodeExecutionIds(message.data).includes(executionId);
    });
  };

  /** Lets time pass without heartbeats until the run is taken away. */
  const lapse = (executionId: string) =>
    until('the lease is taken', async () => {
      now += 5_000;
      const found = await stack.stored(executionId);
      return found?.state === 'running' ? undefined : found;
    });

  /** Log lines about expired leases of an execution, once there are this many. */
  const expiriesOf = (executionId: string, count: number) =>
    until('the log contains it', () => {
      const lines = log.lines.filter(
        (line) => line['executionId'] === executionId && String(line['msg']).startsWith('lease expired'),
      );
      return lines.length >= count && lines.map(({ runnerId, fence, msg }) => ({ runnerId, fence, msg }));
    });

  describe('when a lease expired', () => {
    it('requeues the run with its progress after a back-off and logs it; the old runner is refused', async () => {
      const executionId = await running();
      await replica.runner.checkpoint({
        entries: [
          { executionId, fence: 1, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('kept') },
        ],
      });
      const sentinel = await start(replica, stack.workflows.add({ settings: { executionTimeout: 30 } }));
      // A check of the leases before the sentinel was ended has seen this one.
      now += 31_000;
      await becomes(sentinel, 'error');
      expect((await stack.stored(executionId))?.state).toBe('running');
      await expect(lapse(executionId)).resolves.toMatchObject({
        state: 'queued',
        crashes: 1,
        generation: 1,
        fence: 1,
        nodeRunCount: 1,
      });
      expect(await expiriesOf(executionId, 1)).toEqual([
        { runnerId: 'runner-1', fence: 1, msg: 'lease expired; the execution is queued again' },
      ]);
      now += 501;
      expect(await claim(replica, executionId, 'runner-2')).toMatchObject({
        fence: 2,
        engineState: Buffer.from('kept'),
        checkpoint: 1,
      });
      expect(await replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId, fence: 1 }] })).toEqual({
        outcomes: [HeartbeatOutcome.HEARTBEAT_OUTCOME_LOST],
      });
      const late = await replica.runner.report({ entries: [reportOf(executionId, 1, { checkpoint: 1 })] });
      expect(late).toEqual({ outcomes: [WriteOutcome.WRITE_OUTCOME_FENCED] });
      expect(await replica.runner.report({ entries: [reportOf(executionId, 2, { checkpoint: 1 })] })).toEqual({
        outcomes: [WriteOutcome.WRITE_OUTCOME_APPLIED],
      });
    });

    /** The process of the run becomes active with it and dies, and its runner reports that. */
    const die = async (executionId: string, shared = false) => {
      const { lease, fence = 0 } = (await stack.stored(executionId)) ?? {};
      const endedRunnerId = lease?.runnerId ?? '';
      await replica.runner.heartbeat({ runnerId: endedRunnerId, held: [{ executionId, fence, shared }] });
      await replica.runner.endRunner({ runnerId: 'runner.1', endedRunnerId });
      return until('the lease is taken', async () => {
        const found = await stack.stored(executionId);
        return found?.state === 'running' ? undefined : found;
      });
    };
    /** It dies as above, and the run is claimed again, in isolation. */
    const crash = async (executionId: string, fence: number, shared = false): Promise<void> => {
      if ((await die(executionId, shared)).state !== 'queued') return;
      now += 30_001;
      expect((await claimIsolated(replica, executionId, processId())).fence).toBe(fence + 1);
    };

    it('abandons a run that kills its process three times, twice while it is isolated', async () => {
      const executionId = await running({}, processId());
      for (const fence of [1, 2, 3]) await crash(executionId, fence);
      expect(await stack.stored(executionId)).toMatchObject({
        state: 'crashed',
        status: 'error',
        crashes: 3,
        error: { reason: 'CRASHED' },
      });
      expect((await expiriesOf(executionId, 3)).map(({ msg }) => msg)).toEqual([
        'lease expired; the execution is queued again',
        'lease expired; the execution is queued again',
        'lease expired; the execution is ended as crashed',
      ]);
    });

    it('isolates only the run that a report blames, and puts its version in quarantine for ten minutes', async () => {
      const told: string[] = [];
      const subscription = stack.nats.subscribe(stack.queue.quarantineSubject, {
        callback: (_error, message) => void told.push(Buffer.from(message.data).toString()),
      });
      const process = `blocked.1.${uuidv7()}`;
      const [hostile, healthy] = [await running({}, process), await running({}, process)];
      for (const executionId of [hostile, healthy])
        await replica.runner.heartbeat({ runnerId: process, held: [{ executionId, fence: 1 }] });
      await replica.runner.endRunner({
        runnerId: 'blocked.2',
        endedRunnerId: '',
        blamedExecutionId: hostile,
        blamedNode: 'Sort',
      });
      expect(await becomes(hostile, 'queued')).toMatchObject({ crashes: 1, suspicion: 2, runsAlone: true });
      expect(await becomes(healthy, 'queued')).toMatchObject({ crashes: 0 });
      expect((await claim(replica, healthy, 'blocked.2')).fence).toBe(2);
      const version = (await stack.stored(hostile))?.versionId ?? '';
      await until('an announcement', () => told.includes(version));
      now += 601_000;
      told.length = 0;
      now += 10_000;
      const lasting = await running({}, processId());
      for (const fence of [1, 2, 3]) await crash(lasting, fence);
      const other = (await stack.stored(lasting))?.versionId ?? '';
      await until('another announcement', () => told.includes(other));
      expect(told).not.toContain(version);
      subscription.unsubscribe();
    });

    it('puts the version of an abandoned run in quarantine for a day, and reports it repeatedly', async () => {
      const told = new Set<string>();
      const subscription = stack.nats.subscribe(stack.queue.quarantineSubject, {
        callback: (_error, message) => void told.add(Buffer.from(message.data).toString()),
      });
      const isTold = async (versionId: string): Promise<boolean> => {
        told.clear();
        now += 10_000;
        await until('one announcement', () => told.has(lasting));
        return told.has(versionId);
      };
      const versionOf = async (executionId: string): Promise<string> =>
        (await stack.stored(executionId))?.versionId ?? '';
      const deadly = await running({}, processId());
      const fragile = await running({ crashPolicy: 'fail' }, processId());
      for (const fence of [1, 2, 3]) await crash(deadly, fence);
      await crash(fragile, 1);
      const [version, other] = [await versionOf(deadly), await versionOf(fragile)];
      let lasting = version;
      expect([await isTold(version), await isTold(other)]).toEqual([true, false]);
      now += 86_400_000;
      const second = await running({}, processId());
      for (const fence of [1, 2, 3]) await crash(second, fence);
      lasting = await versionOf(second);
      expect([await isTold(lasting), await isTold(version)]).toEqual([true, false]);
      subscription.unsubscribe();
    });

    it('restarts the crash count for a run that made progress in between', async () => {
      const executionId = await running({}, processId());
      await crash(executionId, 1);
      await crash(executionId, 2);
      await replica.runner.checkpoint({
        entries: [{ executionId, fence: 3, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('s') }],
      });
      await crash(executionId, 3);
      expect(await stack.stored(executionId)).toMatchObject({ state: 'running', crashes: 1, fence: 4 });
    });

    it('restarts under the policy "restart", and keeps the crash count whatever the progress', async () => {
      const executionId = await running({ crashPolicy: 'restart' }, processId());
      await replica.runner.putChunk([{ executionId, fence: 1, chunkId: 'up', data: Buffer.alloc(1_000) }]);
      await replica.runner.respond({
        executionId,
        fence: 1,
        response: { statusCode: 200, headers: [], body: Buffer.from('a') },
      });
      const more = nodeRun('B', 1, { noise: randomBytes(90_000).toString('base64') });
      await replica.runner.checkpoint({
        entries: [
          {
            executionId,
            fence: 1,
            checkpoint: 1,
            nodeRuns: [nodeRun('A', 0), more],
            engineState: Buffer.from('s'),
            customDataJson: '{"a":"b"}',
          },
        ],
      });
      expect(await stack.stored(executionId)).toMatchObject({
        uploadedBytes: 1_000,
        log: [{ count: 2 }],
        customData: '{"a":"b"}',
      });
      await crash(executionId, 1);
      const record = await stack.stored(executionId);
      expect(record).toMatchObject({
        state: 'running',
        crashes: 1,
        nodeRunCount: 0,
        inlineBytes: 0,
        dataBytes: 0,
        checkpoint: 0,
        manifest: [],
        log: [],
        uploadedBytes: 0,
      });
      expect([record?.engineState, record?.response, record?.customData]).toEqual([undefined, undefined, undefined]);
      await replica.runner.checkpoint({
        entries: [{ executionId, fence: 2, checkpoint: 1, nodeRuns: [nodeRun('A', 0)], engineState: Buffer.from('s') }],
      });
      await crash(executionId, 2);
      expect((await stack.stored(executionId))?.crashes).toBe(2);
    });

    it('ends the run at once under the policy "fail"', async () => {
      const executionId = await running({ crashPolicy: 'fail' });
      await heartbeat(replica, executionId, 1);
      expect(await lapse(executionId)).toMatchObject({ state: 'crashed', error: { reason: 'CRASHED' } });
    });

    it('never abandons a run that was not isolated when its process died, however often that happened', async () => {
      const executionId = await running({}, processId());
      await crash(executionId, 1);
      for (const fence of [2, 3, 4]) await crash(executionId, fence, true);
      expect(await stack.stored(executionId)).toMatchObject({ state: 'running', crashes: 4, fence: 5 });
      await crash(executionId, 5);
      expect(await die(executionId)).toMatchObject({ state: 'crashed' });
    });

    it('never abandons a run whose lease was only not renewed, but isolates it the second time', async () => {
      const executionId = await running();
      for (const isIsolated of [false, true, true, true]) {
        const { fence = 0 } = (await stack.stored(executionId)) ?? {};
        await heartbeat(replica, executionId, fence);
        expect(await lapse(executionId)).toMatchObject({ state: 'queued', ...(isIsolated ? { runsAlone: true } : {}) });
        now += 30_001;
        await (isIsolated ? claimIsolated : claim)(replica, executionId);
      }
    });

    it('announces a run that crashed a runner in the isolation queue, and again if that is lost', async () => {
      const executionId = await running({}, processId());
      const { streams } = await stack.nats.jetstreamManager();
      const isAnnounced = async (): Promise<boolean> => {
        const consumer = await queueConsumer(stack.nats, stack.queue.isolated);
        const message = await consumer.next({ expires: 1_000 });
        message?.ack();
        return message !== null && decodeExecutionIds(message.data).includes(executionId);
      };
      await die(executionId);
      await until('the run is announced', isAnnounced);
      await streams.purge(stack.queue.isolated.stream);
      await until('the run is announced again', () => {
        now += 60_000;
        return isAnnounced();
      });
    });

    it('gives a run that crashed a runner only to isolated claims, and reports so', async () => {
      const executionId = await running({}, processId());
      await die(executionId);
      now += 30_001;
      const free = await start(replica, stack.workflows.add());
      const { executions, refusedIds, isolatedIds } = await replica.runner.claim({
        executionIds: [executionId, free],
        runnerId: 'r',
        claimId: uuidv7(),
        knownVersionIds: [],
      });
      expect([executions.map((one) => one.executionId), refusedIds, isolatedIds]).toEqual([
        [free],
        [executionId],
        [executionId],
      ]);
      expect(await claimIsolated(replica, executionId)).toMatchObject({ fence: 2, crashes: 1 });
      await replica.runner.wait({
        entries: [
          {
            executionId,
            fence: 2,
            checkpoint: 0,
            nodeRuns: [],
            engineState: Buffer.from('s'),
            lastNode: 'W',
            resumeAt: new Date(now),
            resumeTokenHash: '',
            childExecutionId: '',
          },
        ],
      });
      now += 1;
      await becomes(executionId, 'queued');
      expect((await claim(replica, executionId)).fence).toBe(3);
    });

    it('returns an inactive claim at once and without a crash, and isolates the run the second time', async () => {
      const executionId = await running({ crashPolicy: 'fail' });
      const returned = await lapse(executionId);
      expect(returned).toMatchObject({ state: 'queued', crashes: 0, generation: 1 });
      expect(returned.notBefore).toBeUndefined();
      await tellsOf(executionId);
      expect((await claim(replica, executionId)).fence).toBe(2);

      const poison = await running();
      await lapse(poison);
      await claim(replica, poison);
      expect(await lapse(poison)).toMatchObject({ state: 'queued', crashes: 0, runsAlone: true });
      await claimIsolated(replica, poison, processId());
      expect(await die(poison)).toMatchObject({ state: 'queued', crashes: 1 });
      now += 30_001;
      await claimIsolated(replica, poison, processId());
      expect(await die(poison)).toMatchObject({ state: 'crashed', crashes: 2 });
    });

    it('does not take a renewed lease', async () => {
      const executionId = await running();
      for (let beat = 0; beat < 5; beat += 1) {
        now += 20_000;
        await replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId, fence: 1 }] });
      }
      expect(await stack.stored(executionId)).toMatchObject({ state: 'running', fence: 1, crashes: 0 });
    });
  });

  it('ends a run that exceeds the limit of its workflow, running or waiting, and notifies its runner', async () => {
    const [one, two] = [await running({ executionTimeout: 60 }), await running({ executionTimeout: 60 })];
    await replica.runner.wait({
      entries: [
        {
          executionId: two,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'W',
          resumeTokenHash: 'a'.repeat(64),
          childExecutionId: '',
        },
      ],
    });
    for (let beat = 0; beat < 4; beat += 1) {
      now += 16_000;
      await replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId: one, fence: 1 }] });
    }
    for (const id of [one, two]) expect(await becomes(id, 'error')).toMatchObject({ error: { reason: 'TIMED_OUT' } });
    expect(await replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId: one, fence: 1 }] })).toEqual({
      outcomes: [HeartbeatOutcome.HEARTBEAT_OUTCOME_CANCELLED],
    });
  });

  it('republishes unclaimed runs with increasing delays, and new ids for the broker', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await tellsOf(executionId);
    const delays: number[] = [];
    for (const wait of [30_001, 60_001, 120_001]) {
      now += wait;
      const at = now;
      await tellsOf(executionId);
      delays.push(((await stack.stored(executionId))?.publishAt?.getTime() ?? 0) - at);
    }
    expect(delays).toEqual([60_000, 120_000, 240_000]);
    expect(await stack.stored(executionId)).toMatchObject({ generation: 3, fence: 0, state: 'queued' });
  });

  it('republishes everything when the broker lost its store, however long the back-off had become', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: executionId }, { $set: { publishAt: new Date(now + 600_000) } });
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.delete(stack.queue.stream);
    await until('the stream is there again', () =>
      manager.consumers.info(stack.queue.stream, stack.queue.consumer).catch(() => undefined),
    );
    await tellsOf(executionId);
  });

  it('notices a lost store even when another replica recreated the stream', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await stack.database
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: executionId }, { $set: { publishAt: new Date(now + 600_000) } });
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.delete(stack.queue.stream);
    await ensureQueues(stack.nats, stack.queue);
    await tellsOf(executionId);
  });

  it('wakes a parent whose child ended without a notification', async () => {
    const parent = await running();
    const childId = uuidv7();
    await replica.runner.wait({
      entries: [
        {
          executionId: parent,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'C',
          resumeTokenHash: '',
          childExecutionId: childId,
        },
      ],
    });
    // The child never existed: the same as a deleted one.
    expect(await becomes(parent, 'queued')).toMatchObject({ generation: 1 });

    const other = await running();
    const workflow = stack.workflows.add();
    const { started } = await replica.executions.startExecution({ start: webhookStartOf(workflow) });
    const child = started?.executionId ?? '';
    await replica.runner.wait({
      entries: [
        {
          executionId: other,
          fence: 1,
          checkpoint: 0,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'C',
          resumeTokenHash: '',
          childExecutionId: child,
        },
      ],
    });
    await claim(replica, child);
    await replica.runner.report({ entries: [reportOf(child, 1)] });
    expect((await stack.stored(other))?.state).toBe('waiting');
    now += 60_001;
    await becomes(other, 'queued');
  });

  it('deletes chunks without an execution a day after they were written, but no others', async () => {
    const input = { input: Buffer.from(JSON.stringify({ a: 'x'.repeat(100_000) })) };
    const [kept, gone] = [
      await start(replica, stack.workflows.add(), input),
      await start(replica, stack.workflows.add(), input),
    ];
    const ended = await claim(replica, await start(replica, stack.workflows.add(), input));
    await replica.runner.putChunk([
      { executionId: ended.executionId, fence: 1, chunkId: 'unnamed', data: Buffer.alloc(10) },
    ]);
    await replica.runner.report({ entries: [reportOf(ended.executionId, 1)] });
    await stack.database.collection<{ _id: string }>('executions').deleteOne({ _id: gone });
    now += 25 * 3_600_000;
    const chunks = stack.database.collection('executionChunks');
    await until(
      'all of them were looked at',
      async () => (await chunks.countDocuments({ reviewAt: { $exists: true } })) === 0,
    );
    expect(await chunks.countDocuments({ executionId: gone })).toBe(0);
    expect(await chunks.countDocuments({ executionId: { $in: [kept, ended.executionId] } })).toBe(3);
  });
});
