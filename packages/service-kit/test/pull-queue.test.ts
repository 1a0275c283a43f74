import {
  connectNats,
  ensureWorkQueue,
  openPulls,
  publishToQueue,
  type NatsConnection,
  type QueueMessage,
  type WorkQueue,
} from '@weft/service-kit/nats';
import { startProxy, testLogger, testNatsUrl, uniqueName, until } from '@weft/service-kit/testing';

/** Far above the time limit of a test. */
const LONG_MS = 3_600_000;

describe('pulls of a work queue', () => {
  let nats: NatsConnection;
  let queue: WorkQueue;

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
  });
  beforeEach(async () => {
    const stream = uniqueName('PULLS').toUpperCase();
    queue = { stream, subject: `${stream}.queued`, consumer: 'workers', ackWaitMs: LONG_MS, replicas: 1 };
    await ensureWorkQueue(nats, queue);
  });
  afterEach(async () => {
    const { streams } = await nats.jetstreamManager();
    await streams.delete(queue.stream).catch(() => undefined);
  });
  afterAll(() => nats.close());

  const publish = (...texts: readonly string[]): Promise<unknown> =>
    Promise.all(texts.map((text) => publishToQueue(nats, queue, Buffer.from(text), text)));
  const opened = () => {
    const messages: QueueMessage[] = [];
    const pulls = openPulls(nats, queue, (message) => messages.push(message));
    return { pulls, messages, texts: () => messages.map(({ data }) => Buffer.from(data).toString()) };
  };

  it('return as many messages as requested, each with the number waiting behind it', async () => {
    const { pulls, messages } = opened();
    await publish('a', 'b', 'c');
    await pulls.pull(2, LONG_MS);
    expect(messages.map(({ pending }) => pending)).toEqual([2, 1]);
    await pulls.pull(1, LONG_MS);
    expect(messages.map(({ pending }) => pending)).toEqual([2, 1, 0]);
    await pulls.drain();
  });

  it('redeliver returned messages, and no acknowledged ones', async () => {
    const { pulls, messages, texts } = opened();
    await publish('a');
    await pulls.pull(1, LONG_MS);
    messages[0]?.nak(1);
    await pulls.pull(1, LONG_MS);
    messages[1]?.ack();
    await publish('b');
    await pulls.pull(1, LONG_MS);
    expect(texts()).toEqual(['a', 'a', 'b']);
    await pulls.drain();
  });

  it('end when their time is over, and immediately when they are withdrawn', async () => {
    const { pulls, messages } = opened();
    await pulls.pull(1, 1_000);
    const pulled = pulls.pull(1, LONG_MS);
    await pulls.drain();
    await pulled;
    expect(messages).toEqual([]);
  });

  it('fail while the queue is missing, and continue when it is back', async () => {
    const { pulls, texts } = opened();
    await (await nats.jetstreamManager()).streams.delete(queue.stream);
    await expect(pulls.pull(1, LONG_MS)).rejects.toThrow();
    await ensureWorkQueue(nats, queue);
    await publish('a');
    await until('it can be asked again', () =>
      pulls.pull(1, LONG_MS).then(
        () => true,
        () => false,
      ),
    );
    expect(texts()).toEqual(['a']);
    await pulls.drain();
  });

  it('end when the connection is lost, and are refused until it is restored', async () => {
    const { hostname, port } = new URL(testNatsUrl());
    const proxy = await startProxy(hostname, Number(port));
    const own = await connectNats({ natsUrl: `nats://127.0.0.1:${proxy.port}` }, 'test', testLogger());
    const pulls = openPulls(own, queue, () => undefined);
    const pulled = pulls.pull(1, LONG_MS);
    await own.flush();
    proxy.cut();
    await pulled;
    await expect(pulls.pull(1, LONG_MS)).rejects.toThrow('not connected');
    await pulls.drain();
    await own.close();
    await proxy.close();
  });
});
