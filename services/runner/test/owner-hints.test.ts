import { executionQueueNames } from '@weft/proto/execution-queue';
import { connectNats, type NatsConnection } from '@weft/service-kit/nats';
import { closeAfterEach, testLogger, testNatsUrl, uniqueName, until } from '@weft/service-kit/testing';
import { announceHeavy, subscribeToHeavy } from '../src/messaging/owner-hints';

describe('hints about owners with large data', () => {
  const later = closeAfterEach();
  const connected = async (): Promise<NatsConnection> =>
    later(await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger()), (connection) => connection.close());

  it('come to every other runner, and what is none is ignored', async () => {
    const names = executionQueueNames(uniqueName('HEAVY').toUpperCase());
    const [one, two, three] = [await connected(), await connected(), await connected()];
    const learned: string[] = [];
    for (const each of [two, three]) {
      subscribeToHeavy(each, names, (ownerKey) => learned.push(ownerKey));
      await each.flush();
    }
    one.publish(names.heavySubject, '');
    one.publish(names.heavySubject, 'x'.repeat(301));
    announceHeavy(one, names, 'owner \u00e4');
    await until('both have learned of it', () => learned.length >= 2);
    expect(learned).toEqual(['owner \u00e4', 'owner \u00e4']);
  });
});
