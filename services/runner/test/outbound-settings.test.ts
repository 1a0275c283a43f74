import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { EndState } from '@weft/proto/runner';
import { type EchoServer, type ProxyServer, serveEcho, serveProxy } from '@weft/outbound/testing';
import { connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { makeTestKeys, testLogger, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { definitionOf, FakeExecutions, node, serveExecutions } from './fake-executions';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { noPools, runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('OUTBOUND');
/** An address that the guard permits. The proxy redirects it to this machine. */
const PUBLIC_ADDRESS = '93.184.215.14';

describe('the egress settings of a runner', () => {
  let executions: FakeExecutions;
  let peer: FakePeer;
  let nats: NatsConnection;
  let host: EchoServer;
  let proxy: ProxyServer;

  beforeAll(async () => {
    executions = new FakeExecutions();
    peer = await serveExecutions(executions, keys.publicKeys);
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    host = await serveEcho();
    proxy = await serveProxy();
  });
  afterAll(async () => {
    await proxy.close();
    await host.close();
    await deleteQueues(nats, queue);
    await nats.close();
    await peer.stop();
  });

  /**
   * Sends a request of a node through a runner with these settings, and returns the route by which it arrived, if it
   * did.
   */
  const wayTo = async (hostname: string, env: Record<string, string>): Promise<string> => {
    const url = `http://${hostname}:${host.port}/`;
    const runner = await createServer(
      config.load({
        ...runnerEnv({ keys, queue, executions: peer.target }),
        ...env,
      }),
      testLogger(),
      { openPools: noPools },
    );
    try {
      const [before, proxiedBefore] = [host.seen.length, proxy.seen.length];
      const id = executions.add(
        definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url, options: {} })]),
      );
      await publishToQueue(nats, queue, encodeExecutionIds([id]), id);
      const reportOf = () => executions.reports.find(({ executionId }) => executionId === id);
      await until('the report', () => reportOf() !== undefined);
      const isProxied = proxy.seen.length > proxiedBefore;
      if (isProxied) expect(proxy.seen.at(-1)?.line).toContain(`${hostname}:${host.port}`);
      const isReached = host.seen.length > before;
      expect(reportOf()?.endState === EndState.END_STATE_SUCCESS).toBe(isReached);
      return isReached ? (isProxied ? 'by the proxy' : 'directly') : 'refused';
    } finally {
      await runner.stop();
    }
  };

  it('are those of OUTBOUND_ALLOW: no private address without it', async () => {
    expect(await wayTo('127.0.0.1', {})).toBe('refused');
    expect(await wayTo('127.0.0.1', { OUTBOUND_ALLOW: '192.0.2.1' })).toBe('refused');
    expect(await wayTo('127.0.0.1', { OUTBOUND_ALLOW: '127.0.0.1' })).toBe('directly');
  });

  it('are those of OUTBOUND_PROXY, which resolves names with OUTBOUND_PROXY_RESOLVES', async () => {
    const proxied = { OUTBOUND_PROXY: proxy.url };
    expect(await wayTo(PUBLIC_ADDRESS, proxied)).toBe('by the proxy');
    expect(await wayTo('127.0.0.1', proxied)).toBe('refused');
    expect(await wayTo('named.example', { ...proxied, OUTBOUND_PROXY_RESOLVES: 'on' })).toBe('by the proxy');
  });

  it('are those of OUTBOUND_NO_PROXY, for hosts that bypass it', async () => {
    const allowed = { OUTBOUND_PROXY: proxy.url, OUTBOUND_ALLOW: '127.0.0.1' };
    expect(await wayTo('127.0.0.1', allowed)).toBe('by the proxy');
    expect(await wayTo('127.0.0.1', { ...allowed, OUTBOUND_NO_PROXY: '127.0.0.1' })).toBe('directly');
  });
});
