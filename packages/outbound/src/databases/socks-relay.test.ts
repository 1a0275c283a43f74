import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { closeAfterEach } from '@weft/service-kit/testing';
import { SocksClient } from 'socks';
import { createOutboundClient } from '../http/outbound-client';
import { serveTcp } from '../testing';
import { ByteMeter } from '../sessions/byte-meter';
import { SocksRelay, type Unreachable } from './socks-relay';

const later = closeAfterEach();

/** A relay whose sockets are guarded; only a port of this machine may be reached. */
async function relayTo(port: number, maxBytes = 1_000_000): Promise<SocksRelay> {
  const client = createOutboundClient({ allow: [`127.0.0.1:${port}`] });
  later(client, (open) => open.close());
  const relay = await SocksRelay.start(client.openSocket, new ByteMeter({ maxBytes }));
  relay.on('error', () => undefined);
  return later(relay, (open) => open.destroy());
}

async function reach(relay: SocksRelay, host: string, port: number, password = relay.password): Promise<Socket> {
  const { socket } = await SocksClient.createConnection({
    command: 'connect',
    destination: { host, port },
    proxy: { host: '127.0.0.1', port: relay.port, type: 5, userId: relay.user, password },
  });
  return later(
    socket.on('error', () => undefined),
    (open) => open.destroy(),
  );
}

describe('a relay of a session', () => {
  it('carries bytes both ways, and ends with the session', async () => {
    const server = later(await serveTcp((socket) => socket.pipe(socket)), (open) => open.close());
    const relay = await relayTo(server.port);
    const socket = await reach(relay, '127.0.0.1', server.port);
    socket.resume().write('hello');
    const [echoed]: unknown[] = await once(socket, 'data');
    expect(String(echoed)).toBe('hello');
    const closed = once(socket, 'close');
    relay.destroy();
    await closed;
  });

  it('refuses clients without its password', async () => {
    const server = later(await serveTcp((socket) => socket.pipe(socket)), (open) => open.close());
    const relay = await relayTo(server.port);
    await expect(reach(relay, '127.0.0.1', server.port, 'x'.repeat(32))).rejects.toThrow();
    expect(relay.hasReached).toBe(false);
  });

  it('ends clients that speak anything else', async () => {
    const relay = await relayTo(1);
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\u0005\u0001\u0000', '\u0004\u0001']) {
      const socket = connect(relay.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().write(bytes, 'latin1');
      await once(socket, 'close');
    }
  });

  it.each(['10.0.0.1', '169.254.169.254', '127.0.0.2', 'fd00::1', 'localhost'])('reaches no %s', async (host) => {
    const relay = await relayTo(1);
    const unreachable = once(relay, 'unreachable');
    await expect(reach(relay, host, 27_017)).rejects.toThrow();
    const [failure]: Unreachable[] = await unreachable;
    expect(failure).toMatchObject({ port: 27_017, error: { name: 'OutboundRefused' } });
  });

  it('ends all connections once the server has sent more than it may', async () => {
    const server = later(
      await serveTcp((socket) => socket.on('error', () => undefined).write(Buffer.alloc(300_000))),
      (open) => open.close(),
    );
    const relay = await relayTo(server.port, 100_000);
    const broken = once(relay, 'error');
    const socket = await reach(relay, '127.0.0.1', server.port);
    socket.resume();
    const [error]: unknown[] = await broken;
    expect(error).toMatchObject({ exceeded: 'bytes' });
    if (!socket.closed) await once(socket, 'close');
  });
});
