import { executionQueueNames } from '@weft/proto/execution-queue';
import { connectNats, type NatsConnection } from '@weft/service-kit/nats';
import { closeAfterEach, testLogger, testNatsUrl, uniqueName, until } from '@weft/service-kit/testing';
import { announceOverShare, subscribeToOverShare, subscribeToQuarantine } from '../src/messaging/hints';

describe('hints', () => {
  const later = closeAfterEach();
  const connected = async (): Promise<NatsConnection> =>
    later(await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger()), (connection) => connection.close());

  it('about owners with large data reach every other runner, and invalid ones are ignored', async () => {
    const names = executionQueueNames(uniqueName('OVERSHARE').toUpperCase());
    const [one, two, three] = [await connected(), await connected(), await connected()];
    const learned: string[] = [];
    for (const each of [two, three]) {
      subscribeToOverShare(each, names, (ownerKey) => learned.push(ownerKey));
      await each.flush();
    }
    one.publish(names.overShareSubject, '');
    one.publish(names.overShareSubject, 'x'.repeat(301));
    announceOverShare(one, names, 'owner \u00e4');
    await until('both have learned of it', () => learned.length >= 2);
    expect(learned).toEqual(['owner \u00e4', 'owner \u00e4']);
  });

  it('about quarantined versions reach every runner, and invalid ones are ignored', async () => {
    const names = executionQueueNames(uniqueName('QUARANTINE').toUpperCase());
    const [service, runner] = [await connected(), await connected()];
    const learned: string[] = [];
    subscribeToQuarantine(runner, names, (versionId) => learned.push(versionId));
    await runner.flush();
    for (const text of ['', 'x'.repeat(301), 'version']) service.publish(names.quarantineSubject, text);
    await until('it has learned of it', () => learned.length > 0);
    expect(learned).toEqual(['version']);
  });
});
