import { encodeExecutionIds, executionQueueNames, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectNats, ensureWorkQueue, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { closeAfterEach, testLogger, startProxy, testNatsUrl, uniqueName, until } from '@weft/service-kit/testing';
import { createSlots } from '../src/domain/claims/shares/slots';
import { pullWork, type WorkPuller } from '../src/messaging/pull-work';
import { deleteQueues, openQueues, queuesNamed } from './queues';

const queue = queuesNamed('PULL');
/** More than one read of a socket returns. */
const MESSAGES = 400;
const IDS = Array.from({ length: MESSAGES }, () => Array.from({ length: MAX_IDS_PER_MESSAGE }, () => uuidv7()));

describe('pulling work', () => {
  const later = closeAfterEach();
  const connected = async (url: string): Promise<NatsConnection> =>
    later(await connectNats({ natsUrl: url }, 'test', testLogger()), (connection) => connection.close());
  const pulled = (puller: WorkPuller): WorkPuller => later(puller, ({ stop }) => stop());
  let nats: NatsConnection;
  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
  });
  afterAll(async () => {
    await deleteQueues(nats, queue);
    await nats.close();
  });

  it(
    'leaves nothing behind when a runner stops: messages in flight are redelivered to another one at once, ' +
      'not after the ack wait',
    async () => {
      const seen = new Set<string>();
      const start = async (onTaken: () => void = () => undefined): Promise<WorkPuller> => {
        const connection = await connected(testNatsUrl());
        const take = (ids: readonly string[]): Promise<'answered'> => {
          ids.forEach((id) => seen.add(id));
          onTaken();
          return Promise.resolve('answered');
        };
        const slots = createSlots(MESSAGES * MAX_IDS_PER_MESSAGE);
        return pulled(pullWork(connection, queue, slots, () => true, take, testLogger()));
      };
      let stopped: Promise<void> | undefined;
      await Promise.all(IDS.map((ids) => publishToQueue(nats, queue, encodeExecutionIds(ids), ids[0] ?? '')));
      const first = await start(() => {
        stopped ??= first.stop();
      });
      await until('the first runner stops', () => stopped !== undefined);
      await start();
      await stopped;
      await until('all have come to one of the two', () => seen.size === IDS.flat().length, 10_000);
    },
  );

  it('acknowledges nothing of a lost queue: the same number is another message in the new one', async () => {
    const jsm = await nats.jetstreamManager();
    const lost = { ...executionQueueNames(uniqueName('LOST').toUpperCase()), replicas: 1 };
    await ensureWorkQueue(nats, lost);
    later(lost, ({ stream }) => jsm.streams.delete(stream));
    const { hostname, port } = new URL(testNatsUrl());
    const proxy = later(await startProxy(hostname, Number(port)), ({ close }) => close());
    const connection = await connected(`nats://127.0.0.1:${proxy.port}`);
    const taken: string[] = [];
    const ends: (() => void)[] = [];
    const take = (ids: readonly string[]): Promise<'answered'> => {
      taken.push(...ids);
      return new Promise((resolve) => ends.push(() => resolve('answered')));
    };
    pulled(pullWork(connection, lost, createSlots(10), () => true, take, testLogger()));
    const [first, second] = [uuidv7(), uuidv7()];

    await publishToQueue(nats, lost, encodeExecutionIds([first]), 'first');
    await until('the first message is taken', () => taken.length === 1);
    await jsm.streams.delete(lost.stream);
    proxy.cut();
    proxy.restore();
    await ensureWorkQueue(nats, lost);
    await publishToQueue(nats, lost, encodeExecutionIds([second]), 'second');
    await until('the message of the new queue is taken', () => taken.length === 2, 20_000);
    ends[0]?.();
    await connection.flush();
    expect(taken).toEqual([first, second]);
    expect((await jsm.consumers.info(lost.stream, lost.consumer)).num_ack_pending).toBe(1);

    ends[1]?.();
    await until(
      'its own answer counts',
      async () => (await jsm.consumers.info(lost.stream, lost.consumer)).num_ack_pending === 0,
    );
  });
});
