import { executionQueueNames } from '@weft/proto/execution-queue';
import { connectNats } from '@weft/service-kit/nats';
import { testLogger, testNatsUrl, uniqueName } from '@weft/service-kit/testing';
import { connectBroker } from '../../src/messaging/broker';
import { ensureQueues, queuesOf } from '../support/stack';

describe('the broker', () => {
  it('reports every loss of a queue that another replica recreated, whenever it happens', async () => {
    const names = executionQueueNames(uniqueName('EXECUTIONS'));
    const nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    const broker = await connectBroker({ natsUrl: testNatsUrl() }, queuesOf(names), testLogger());
    const manager = await nats.jetstreamManager();
    let losses = 0;
    let looks = 0;
    let isOver = false;
    const look = async (): Promise<void> => {
      while (!isOver) {
        // A check during which the stream disappears may fail; a later one notices.
        if ((await broker.ensureQueue().catch(() => false)) && broker.streamTime() !== undefined) losses += 1;
        looks += 1;
      }
    };
    await broker.ensureQueue();
    const looking = look();
    // Each at another point of a check, including between two requests.
    try {
      for (let loss = 1; loss <= 40; loss += 1) {
        for (let turn = 0; turn < loss; turn += 1) await new Promise(setImmediate);
        const before = losses;
        await manager.streams.delete(names.stream);
        await ensureQueues(nats, names);
        const seen = looks;
        while (losses === before && looks < seen + 20) await new Promise(setImmediate);
        expect([loss, losses > before]).toEqual([loss, true]);
      }
    } finally {
      isOver = true;
      await looking;
      await broker.close();
      await nats.close();
    }
  });
});
