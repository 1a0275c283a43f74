import { encodeExecutionIds, executionQueueNames, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectNats, ensureWorkQueue, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { silentLogger, testNatsUrl, uniqueName, until } from '@weft/service-kit/testing';
import { createSlots } from '../src/domain/slots';
import { pullWork, type WorkPuller } from '../src/messaging/pull-work';

const queue = { ...executionQueueNames(uniqueName('PULL').toUpperCase()), replicas: 1 };
/** More than one read of a socket brings. */
const MESSAGES = 400;
const IDS = Array.from({ length: MESSAGES }, () => Array.from({ length: MAX_IDS_PER_MESSAGE }, () => uuidv7()));

describe('pulling work', () => {
  let nats: NatsConnection;
  beforeAll(async () => {
    nats = await connectNats(testNatsUrl(), 'test', silentLogger());
    await ensureWorkQueue(nats, queue);
  });
  afterAll(async () => {
    await (await nats.jetstreamManager()).streams.delete(queue.stream);
    await nats.close();
  });

  it(
    'leaves nothing behind when a runner stops: what was on its way to it comes to another one at once, not ' +
      'after the ack wait',
    async () => {
      const seen = new Set<string>();
      const connections: NatsConnection[] = [];
      const start = async (onTaken: () => void = () => undefined): Promise<WorkPuller> => {
        const connection = await connectNats(testNatsUrl(), 'test', silentLogger());
        connections.push(connection);
        const take = (ids: readonly string[]): Promise<boolean> => {
          ids.forEach((id) => seen.add(id));
          onTaken();
          return Promise.resolve(true);
        };
        return pullWork(
          connection,
          queue,
          createSlots(MESSAGES * MAX_IDS_PER_MESSAGE),
          () => true,
          take,
          silentLogger(),
        );
      };
      let stopped: Promise<void> | undefined;
      await Promise.all(IDS.map((ids) => publishToQueue(nats, queue, encodeExecutionIds(ids), ids[0] ?? '')));
      const first = await start(() => {
        stopped ??= first.stop();
      });
      await until('the first runner stops', () => stopped !== undefined);
      const second = await start();
      await stopped;
      await until('all have come to one of the two', () => seen.size === IDS.flat().length, 10_000);
      await second.stop();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  );
});
