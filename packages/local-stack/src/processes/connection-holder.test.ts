import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { findConnectionHolder } from './connection-holder';

describe('the holder of a connection', () => {
  it('is the process that called, among others', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted: Promise<Socket[]> = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = await accepted;
    const port = socket?.remotePort ?? 0;
    const [other, own] = [{ pid: process.ppid }, { pid: process.pid }];
    expect(findConnectionHolder(port, [other, own])).toBe(own);
    expect(findConnectionHolder(port, [other])).toBeUndefined();
    client.destroy();
    socket?.destroy();
    server.close();
  });
});
