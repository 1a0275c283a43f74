import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { isConnected } from '@weft/service-kit/nats';
import {
  closeAfterEach,
  queueConsumer,
  startProxy,
  testLogger,
  testNatsUrl,
  type Proxy,
  until,
} from '@weft/service-kit/testing';
import { connectBroker } from '../../src/messaging/broker';
import { createQueuedPublisher } from '../../src/messaging/publish-queued';
import { createIdsChannel } from '../../src/messaging/ids-channel';
import { ensureQueues, queuesOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('while the broker is unavailable', () => {
  const later = closeAfterEach();
  let stack: TestStack;
  let proxy: Proxy;
  beforeAll(async () => {
    stack = await startTestStack();
    const address = new URL(testNatsUrl());
    proxy = await startProxy(address.hostname, Number(address.port));
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await stack.stop();
    await proxy.close();
  });
  const natsUrl = (): string => `nats://127.0.0.1:${proxy.port}`;
  /** A replica that reaches the broker through the proxy; it stops once the proxy allows that. */
  const startCut = async (environment: Readonly<Record<string, string>>, clock?: () => number): Promise<Replica> =>
    later(await stack.startReplica({ NATS_URL: natsUrl(), ...environment }, clock), (replica) => {
      proxy.restore();
      return replica.stop();
    });
  const told = async (): Promise<string[]> => {
    const consumer = await queueConsumer(stack.nats, stack.queue, stack.queue.overflow);
    const ids: string[] = [];
    for (;;) {
      const message = await consumer.next({ expires: 1_000 });
      if (message === null) return ids;
      message.ack();
      ids.push(...decodeExecutionIds(message.data));
    }
  };

  it('ends and starts do not accumulate in the client, however many there are', async () => {
    const broker = later(await connectBroker({ natsUrl: natsUrl() }, queuesOf(stack.queue), testLogger()), (open) =>
      open.close(),
    );
    const connection = broker.connection();
    if (connection === undefined) throw new Error('not connected');
    await broker.ensureQueue();
    const changed = createIdsChannel(broker, stack.queue.changedSubject, () => undefined);
    const publisher = createQueuedPublisher(broker, queuesOf(stack.queue), testLogger());
    proxy.cut();
    await until('the connection is known to be lost', () => !isConnected(connection));
    const before = connection.stats().outBytes;
    for (let n = 0; n < 50_000; n += 1) {
      changed.send(`end-${n}`);
      publisher.publish(`start-${n}`, '0');
      if (n % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(connection.stats().outBytes).toBe(before);
    expect(publisher.waiting()).toBe(20_000);
  });

  it('starts are announced to the runners as soon as it is back', async () => {
    const replica = await startCut({ SWEEP_MS: '600000' });
    await told();
    proxy.cut();
    const ids = await Promise.all(Array.from({ length: 40 }, () => start(replica, stack.workflows.add())));
    proxy.restore();
    // No sweep is due in time: the ids were buffered here.
    expect(
      (
        await until('all are told', async () => {
          const all = await told();
          return all.length >= ids.length && all;
        })
      ).sort(),
    ).toEqual([...ids].sort());
  });

  it('a hanging broker delays no deadline', async () => {
    let now = Date.now();
    const replica: Replica = await startCut({ SWEEP_MS: '50' }, () => now);
    const executionId = await start(replica, stack.workflows.add({ settings: { executionTimeout: 60 } }));
    proxy.freeze();
    now += 61_000;
    const since = performance.now();
    await until('its time is over', async () => (await stack.stored(executionId))?.state === 'error');
    expect(performance.now() - since).toBeLessThan(4_000);
  });

  it('a burst beyond the messages in flight is announced without the sweeper', async () => {
    await ensureQueues(stack.nats, stack.queue);
    await told();
    const broker = later(await connectBroker({ natsUrl: testNatsUrl() }, queuesOf(stack.queue), testLogger()), (open) =>
      open.close(),
    );
    const publisher = createQueuedPublisher(broker, queuesOf(stack.queue), testLogger());
    // The limit is 200 messages of 16 ids in flight.
    const count = 200 * 16 + 2_000;
    for (let n = 0; n < count; n += 1)
      publisher.publish(`00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`, '0');
    await publisher.flush();
    expect(publisher.waiting()).toBe(0);
    const { state } = await stack.nats.jetstreamManager().then((manager) => manager.streams.info(stack.queue.stream));
    expect(state.messages).toBe(Math.ceil(count / 16));
  });
});
