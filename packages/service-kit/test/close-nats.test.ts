import { closeNats, connectNats } from '@weft/service-kit/nats';
import { closeAfterEach, testLogger, startProxy, testNatsUrl, until, type Proxy } from '@weft/service-kit/testing';

describe('closing a connection to NATS', () => {
  const later = closeAfterEach();
  const connected = async () => {
    const { hostname, port } = new URL(testNatsUrl());
    const proxy = later(await startProxy(hostname, Number(port)), ({ close }) => close());
    const connection = await connectNats({ natsUrl: `nats://127.0.0.1:${proxy.port}` }, 'test', testLogger());
    return { proxy, connection: later(connection, (open) => open.close()) };
  };

  it('sends what was published before', async () => {
    const { connection } = await connected();
    const other = (await connected()).connection;
    const heard: string[] = [];
    other.subscribe('close.nats.test', { callback: (_, message) => heard.push(message.string()) });
    await other.flush();
    connection.publish('close.nats.test', 'last words');
    await closeNats(connection);
    await until('they were heard', () => heard.length > 0);
    expect([heard, connection.isClosed()]).toEqual([['last words'], true]);
  });

  it.each<[string, (proxy: Proxy) => void]>([
    ['is away', ({ cut }) => cut()],
    ['hangs', ({ freeze }) => freeze()],
  ])('ends within seconds while the broker %s, and it connects no more', async (_, breakOff) => {
    const { proxy, connection } = await connected();
    breakOff(proxy);
    const since = performance.now();
    await closeNats(connection);
    expect(performance.now() - since).toBeLessThan(4_000);
    expect(connection.isClosed()).toBe(true);
  });
});
