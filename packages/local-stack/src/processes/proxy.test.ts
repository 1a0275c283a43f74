import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startProxy, type Proxy } from './proxy';

describe('a proxy', () => {
  let server: Server;
  let proxy: Proxy;
  let client: Socket;
  let received = '';
  let arrived = Promise.withResolvers<undefined>();
  /** Waits until the server has that text. */
  const untilReceived = async (text: string): Promise<void> => {
    while (received !== text) {
      await arrived.promise;
      arrived = Promise.withResolvers();
    }
  };
  beforeEach(async () => {
    received = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (piece) => {
        received += piece.toString();
        arrived.resolve(undefined);
        socket.write(`got ${piece.toString()}`);
      });
    });
    server.listen({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    proxy = await startProxy((server.address() as AddressInfo).port);
    client = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true });
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    proxy.close();
    server.close();
    await once(server, 'close');
  });

  it('passes on what its rewrite makes of a piece, and shows that to its tap', async () => {
    const seen: string[] = [];
    proxy.setRewrite((piece, isAnswer) => (isAnswer ? piece : Buffer.from(piece.toString().replace('one', 'two'))));
    proxy.setTap((piece) => {
      seen.push(piece.toString());
      return false;
    });
    client.write('one');
    const [answer] = await once(client, 'data');
    expect([String(answer), seen]).toEqual(['got two', ['two', 'got two']]);
  });

  it('passes everything on, and shows it to its tap', async () => {
    const seen: string[] = [];
    proxy.setTap((piece, isAnswer) => {
      seen.push(`${isAnswer ? '<' : '>'} ${piece.toString()}`);
      return false;
    });
    client.write('one');
    const [answer] = await once(client, 'data');
    expect([String(answer), seen]).toEqual(['got one', ['> one', '< got one']]);
  });

  it('holds a piece and what follows it, until they are released', async () => {
    const held = Promise.withResolvers<undefined>();
    proxy.setTap((piece) => {
      if (piece.toString().includes('three')) held.resolve(undefined);
      return piece.toString().includes('two');
    });
    client.write('one');
    await untilReceived('one');
    client.write('two');
    client.write('three');
    await held.promise;
    expect(received).toBe('one');
    proxy.release();
    await untilReceived('onetwothree');
  });

  it('passes on what is held of a client that has gone, if it is released', async () => {
    const held = Promise.withResolvers<undefined>();
    proxy.setTap(() => {
      held.resolve(undefined);
      return true;
    });
    client.write('last words');
    await held.promise;
    client.destroy();
    await once(client, 'close');
    proxy.release();
    await untilReceived('last words');
  });

  it('never passes on what was held of a connection that is cut', async () => {
    const held = Promise.withResolvers<undefined>();
    proxy.setTap(() => {
      held.resolve(undefined);
      return true;
    });
    client.write('lost');
    await held.promise;
    proxy.cut();
    await once(client, 'close');
    proxy.release();
    expect(received).toBe('');
  });
});
