import { alignWorkQueue, closeNats, connectNats, ensureWorkQueue, type NatsConnection } from '@weft/service-kit/nats';
import { testLogger, testNatsUrl, uniqueName } from '@weft/service-kit/testing';

describe('a work queue', () => {
  const stream = uniqueName('QUEUE');
  const queue = { stream, subject: `${stream}.queued`, consumer: 'runners', ackWaitMs: 30_000, replicas: 1 };
  let connection: NatsConnection;
  beforeAll(async () => {
    connection = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await ensureWorkQueue(connection, queue);
  });
  afterAll(async () => {
    await (await connection.jetstreamManager()).streams.delete(stream);
    await closeNats(connection);
  });

  it('is unchanged if its settings are current', async () => {
    expect(await alignWorkQueue(connection, queue)).toEqual({ changed: [], unchanged: [] });
  });

  it('created with other settings gets the current ones', async () => {
    const manager = await connection.jetstreamManager();
    await manager.streams.update(stream, { ...(await manager.streams.info(stream)).config, max_bytes: 1_000_000 });
    const { changed, unchanged } = await alignWorkQueue(connection, { ...queue, ackWaitMs: 45_000 });
    expect(unchanged).toEqual([]);
    expect(changed.map((text) => text.split(':')[0])).toEqual(['stream max_bytes', 'consumer ack_wait']);
    expect((await manager.consumers.info(stream, 'runners')).config.ack_wait).toBe(45_000_000_000);
    expect((await manager.streams.info(stream)).config.max_bytes).toBe(64 * 1024 * 1024);
    expect(await alignWorkQueue(connection, { ...queue, ackWaitMs: 45_000 })).toEqual({ changed: [], unchanged: [] });
  });

  it('reports what the server refuses, and remains unchanged', async () => {
    const { changed, unchanged } = await alignWorkQueue(connection, { ...queue, ackWaitMs: 45_000, replicas: 3 });
    expect(changed).toEqual([]);
    expect(unchanged).toEqual([expect.stringContaining('stream num_replicas: 1 -> 3')]);
  });
});
