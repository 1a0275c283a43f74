import { connectNats, closeNats, type NatsConnection } from '@weft/service-kit/nats';
import { joinReplicas, type Replicas } from '@weft/service-kit/replicas';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import {
  dropDatabase,
  queueConsumer,
  testLogger,
  testMongodbUri,
  testNatsUrl,
  uniqueName,
  until,
} from '@weft/service-kit/testing';
import { decodeExecutionIds, executionQueueNames, workQueuesOf } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { STATUS_OF } from '../../src/domain/state/execution-state';
import { newExecution } from '../../src/domain/start/new-execution';
import type { ApplyWrite } from '../../src/domain/state/ports';
import type { Share } from '../../src/domain/read/sweep-ports';
import { createHookLoop } from '../../src/jobs/run-completion-hooks';
import { createRepublishUnclaimed } from '../../src/jobs/republish-unclaimed';
import { createRestoreQueue } from '../../src/jobs/restore-queue';
import { createTimeOutExecutions } from '../../src/jobs/time-out-executions';
import { connectBroker, type Broker } from '../../src/messaging/broker';
import { createQueuedPublisher, type QueuedPublisher } from '../../src/messaging/publish-queued';
import { executionModel } from '../../src/store/executions/execution-schema';
import { SCHEMA } from '../../src/store/indexes';
import { openStore, type Store } from '../../src/store/open-store';
import { ensureQueues, queuesOf } from '../support/stack';
import { PLAIN_RUN } from '../../src/domain/testing/plain-run';

const ALONE: Share = { count: () => 1, isMine: () => true };
const RETENTION_MS = 1_000_000;

/** Jobs of several replicas on one real store and broker, run step by step. */
describe('background work', () => {
  let database: Database;
  let store: Store;
  let nats: NatsConnection;
  const name = uniqueName('divided');
  let now = Date.now();
  const clock = (): number => now;
  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    await migrate(database.connection, SCHEMA);
    store = openStore(database.connection, clock);
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
  });
  beforeEach(async () => {
    await database.connection.collection('executions').deleteMany({});
  });
  afterAll(async () => {
    await closeNats(nats);
    await database.close();
    await dropDatabase(name);
  });

  const recordOf = (fields: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
    ...newExecution({ ...PLAIN_RUN, workflowId: uuidv7(), versionId: uuidv7() }, now),
    ...fields,
  });
  const insert = async (records: readonly ExecutionRecord[]): Promise<readonly string[]> => {
    for (let from = 0; from < records.length; from += 1_000)
      await executionModel(database.connection).insertMany(records.slice(from, from + 1_000), { lean: true });
    return records.map(({ _id }) => _id);
  };
  const read = async (id: string): Promise<ExecutionRecord> => {
    const found = await store.read(id);
    if (found === undefined) throw new Error('gone');
    return found;
  };
  const counted = (): { readonly apply: ApplyWrite; readonly ids: string[] } => {
    const ids: string[] = [];
    return {
      ids,
      apply: (id, write) => {
        ids.push(id);
        return store.apply(id, write);
      },
    };
  };

  describe('of several replicas', () => {
    let replicas: Replicas[];
    beforeAll(async () => {
      const join = () => joinReplicas({ connection: database.connection, everyMs: 50, logger: testLogger() });
      replicas = [await join(), await join(), await join()];
      const ids = Array.from({ length: 100 }, () => uuidv7());
      await until('they share', () => ids.every((id) => replicas.filter((one) => one.isMine(id)).length === 1));
    });
    afterAll(() => Promise.all(replicas.map((one) => one.stop())));

    it('times out all due executions by one write', async () => {
      const ids = await insert(Array.from({ length: 90 }, () => recordOf({ deadlineAt: new Date(now - 1_000) })));
      const { apply, ids: written } = counted();
      await Promise.all(
        replicas.map((share) =>
          createTimeOutExecutions({ findDue: store.findDue, share, apply, clock, retentionMs: RETENTION_MS })(),
        ),
      );
      expect(written.sort()).toEqual([...ids].sort());
    });

    it('runs completion hooks once: where the run was ended, or at the responsible replica', async () => {
      const ended = (): ExecutionRecord => {
        const { publishAt: _, ...record } = recordOf({
          state: 'success',
          status: STATUS_OF.success,
          postRunActions: [{ kind: 'expire-record', when: 'end', target: '', due: new Date(now - 100) }],
        });
        return record;
      };
      const ids = await insert(Array.from({ length: 60 }, ended));
      const done: string[] = [];
      const jobs = replicas.map((share) =>
        createHookLoop({
          findDue: store.findDue,
          share,
          runHooks: ({ _id }) => {
            done.push(_id);
            return Promise.resolve(true);
          },
          clock,
        }),
      );
      ids.slice(0, 20).forEach((id) => jobs[1]?.ended(id));
      await Promise.all(jobs.map((job) => job.tick()));
      expect(done.sort()).toEqual(ids.slice(0, 20).sort());
      // The others were not announced: the replica that ended them has stopped.
      await database.connection
        .collection<{ _id: string }>('executions')
        .deleteMany({ _id: { $in: ids.slice(0, 20) } });
      done.length = 0;
      now += 2_000;
      await Promise.all(jobs.map((job) => job.tick()));
      expect(done.sort()).toEqual(ids.slice(20).sort());
    });
  });

  describe('for the queue', () => {
    let broker: Broker;
    let publisher: QueuedPublisher;
    let names: ReturnType<typeof executionQueueNames>;
    beforeEach(async () => {
      names = executionQueueNames(uniqueName('DIVIDED'));
      await ensureQueues(nats, names);
      broker = await connectBroker({ natsUrl: testNatsUrl() }, queuesOf(names), testLogger());
      publisher = createQueuedPublisher(broker, queuesOf(names), testLogger());
      await broker.ensureQueue();
    });
    afterEach(async () => {
      await broker.close();
      const { streams } = await nats.jetstreamManager();
      for (const { stream } of workQueuesOf(names)) await streams.delete(stream).catch(() => undefined);
    });
    const ports = () => ({
      apply: store.apply,
      publish: publisher.publish,
      clock,
      backlog: publisher.waiting,
      share: ALONE,
    });
    let runnerEnd: Date | undefined;
    const republish = () =>
      createRepublishUnclaimed({
        takeRunnerEnd: () => {
          const taken = runnerEnd;
          runnerEnd = undefined;
          return taken;
        },
        ...ports(),
        holdsBack: publisher.holdsBack,
        overflows: publisher.overflows,
        postpone: store.postponePublication,
        findDue: store.findDue,
        oldestWaiting: broker.oldestWaiting,
      });
    const messages = async (): Promise<number> =>
      (await (await nats.jetstreamManager()).streams.info(names.stream)).state.messages;

    it('republishes what was lost, but no backlog whose messages still wait in the stream', async () => {
      now = Date.now();
      const ids = await insert(Array.from({ length: 30 }, () => recordOf()));
      ids.forEach((id) => publisher.publish(id, '0'));
      await publisher.flush();
      const waiting = await messages();
      const [lost = ''] = await insert([recordOf({ publishAt: new Date(now - 60_000) })]);
      const turn = republish();
      now += 40_000;
      await turn();
      await publisher.flush();
      expect(await messages()).toBe(waiting + 1);
      expect((await read(lost)).generation).toBe(1);
      for (const id of ids) expect((await read(id)).generation).toBe(0);

      // All messages were delivered, and no execution was claimed: now they count as lost.
      const consumer = await queueConsumer(nats, names, names.overflow);
      for (let n = 0; n <= waiting; n += 1) (await consumer.next({ expires: 1_000 }))?.ack();
      await turn();
      for (const id of ids) expect((await read(id)).generation).toBe(1);
    });

    it('republishes at once what an ended runner may have taken, and nothing later or about to return', async () => {
      now = Date.now();
      const turn = republish();
      const [taken = ''] = await insert([recordOf({ publishAt: new Date(now + 29_000) })]);
      const others = await insert([
        recordOf({ publishAt: new Date(now + 31_000) }),
        recordOf({ publishAt: new Date(now + 5_000) }),
        recordOf({ publishAt: new Date(now + 20_000), notBefore: new Date(now + 15_000) }),
      ]);
      await turn();
      expect((await read(taken)).generation).toBe(0);
      runnerEnd = new Date(now);
      await turn();
      expect((await read(taken)).generation).toBe(1);
      for (const id of others) expect((await read(id)).generation).toBe(0);
    });

    it('republishes at once what an ended runner took, although younger messages have piled up behind it', async () => {
      now = Date.now();
      const turn = republish();
      const [taken = ''] = await insert([recordOf({ publishAt: new Date(now + 29_000) })]);
      const [waiting = ''] = await insert([recordOf({ publishAt: new Date(now + 31_000) })]);
      publisher.publish(waiting, '0');
      await publisher.flush();
      runnerEnd = new Date(now + 2_000);
      await turn();
      expect([(await read(taken)).generation, (await read(waiting)).generation]).toEqual([1, 0]);
    });

    it('announces a few executions of each owner in the queue, the rest of a flood in overflow', async () => {
      const publishMany = (ownerId: string, count: number): void =>
        Array.from({ length: count }, () => uuidv7()).forEach((id) => publisher.publish(id, '0', { ownerId }));
      const idsIn = async ({ stream }: { readonly stream: string }): Promise<number> => {
        const { streams } = await nats.jetstreamManager();
        const { messages, first_seq: first } = (await streams.info(stream)).state;
        const found = await Promise.all(
          Array.from({ length: messages }, (_, n) => streams.getMessage(stream, { seq: first + n })),
        );
        return found.flatMap(({ data }) => decodeExecutionIds(data)).length;
      };
      publishMany('flooding', 60);
      publishMany('healthy', 3);
      publisher.noteSaturating('saturating');
      publishMany('saturating', 2);
      await publisher.flush();
      expect([await idsIn(names), await idsIn(names.overflow)]).toEqual([16 + 3, 44 + 2]);
    });

    it(
      'does not republish the flood of an owner while it waits in order, but republishes what another ' + 'owner lost',
      async () => {
        now = Date.now();
        const flood = await insert(Array.from({ length: 600 }, () => recordOf({ ownerId: 'flooding' })));
        flood.forEach((id) => publisher.publish(id, '0', { ownerId: 'flooding' }));
        await publisher.flush();
        expect(publisher.holdsBack('flooding')).toBe(true);
        now += 40_000;
        const [lost = ''] = await insert([recordOf({ ownerId: 'healthy', publishAt: new Date(now - 1_000) })]);
        const { streams } = await nats.jetstreamManager();
        await streams.purge(names.stream);
        await republish()();
        expect((await read(lost)).generation).toBe(1);
        const [waiting = ''] = flood;
        expect((await read(waiting)).republished).toBeUndefined();
        for (const { stream } of [names, names.overflow]) await streams.purge(stream);
        await republish()();
        expect(
          await database.connection
            .collection('executions')
            .countDocuments({ ownerId: 'flooding', generation: 0, republished: 1, publishAt: new Date(now + 60_000) }),
        ).toBe(flood.length);
      },
    );

    it('publishes everything into a new stream once, even if the replica that does it dies meanwhile', async () => {
      now = Date.now();
      const resting = recordOf({ notBefore: new Date(now + 60_000), publishAt: new Date(now + 60_000) });
      const ids = await insert([
        ...Array.from({ length: 1_300 }, () => recordOf({ publishAt: new Date(now + 600_000) })),
        resting,
      ]);
      let dies = false;
      const first = { ...ALONE, isMine: () => !dies };
      const second = { ...ALONE, isMine: () => dies };
      const told: string[] = [];
      const restoring = (share: Share) =>
        createRestoreQueue({
          ...ports(),
          share,
          publish: (id) => told.push(id),
          store: store.restores,
          streamTime: () => names.stream,
          ensureQueue: () => Promise.resolve(true),
        });
      const [one, two] = [restoring(first), restoring(second)];
      expect([await one(), await two()]).toEqual([true, false]);
      expect(told.length).toBeGreaterThanOrEqual(999);
      dies = true;
      const turns = [await one(), await two(), await two()];
      expect(turns).toEqual([false, true, false]);
      expect(told.sort()).toEqual(ids.filter((id) => id !== resting._id).sort());
    });

    it('continues the work of a stopped replica', async () => {
      now = Date.now();
      const ids = [...(await insert(Array.from({ length: 5 }, () => recordOf())))].sort();
      await store.restores.saveProgress(names.stream, ids[1] ?? '', false);
      const told: string[] = [];
      const turn = createRestoreQueue({
        ...ports(),
        publish: (id) => told.push(id),
        store: store.restores,
        streamTime: () => names.stream,
        ensureQueue: () => Promise.resolve(false),
      });
      while (await turn());
      expect(told.sort()).toEqual(ids.slice(2));
    });
  });
});
