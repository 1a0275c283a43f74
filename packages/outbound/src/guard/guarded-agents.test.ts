import { request } from 'node:http';
import { OutboundRefused } from '../http/outbound-http';
import { addressGuard } from './address-guard';
import { parseAllowList } from './allow-list';
import { guardedAgents, type GuardedAgents } from './guarded-agents';
import { type LocalServer, serveHttp } from '../testing/local-server';

describe('a guarded agent', () => {
  let server: LocalServer;
  let agents: GuardedAgents;
  const ruleFor = (host: string): Promise<string> =>
    new Promise((resolve) => {
      const sent = request({ host, port: server.port, agent: agents.http }, (response) => {
        response.resume();
        resolve('answered');
      });
      sent.on('error', (error) => resolve(error instanceof OutboundRefused ? error.rule : 'another error'));
      sent.end();
    });

  beforeAll(async () => {
    server = await serveHttp((_request, response) => {
      response.end();
    });
    const guard = addressGuard(parseAllowList(['good.internal']));
    agents = guardedAgents(
      { guard, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
      { perHost: 2, total: 4, idleMs: 100 },
    );
  });
  afterAll(async () => {
    agents.close();
    await server.close();
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'does not connect to the literal address %s, which is never looked up',
    async (host) => {
      expect(await ruleFor(host)).toBe('loopback-address');
      expect(server.connections()).toBe(0);
    },
  );

  it('does not connect to a name that resolves to a refused address, and does to one that is allowed', async () => {
    expect(await ruleFor('bad.internal')).toBe('loopback-address');
    expect(server.connections()).toBe(0);
    expect(await ruleFor('good.internal')).toBe('answered');
  });
});
