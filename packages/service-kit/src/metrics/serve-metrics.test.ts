import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '../testing';
import { createMetricsServer } from './serve-metrics';

describe('the port of the metrics', () => {
  const state = { isLive: true, isReady: (): Promise<boolean> => Promise.resolve(false) };
  let server: Server;
  let port: number;
  const open: Socket[] = [];
  beforeEach(async () => {
    server = createMetricsServer({ isLive: () => state.isLive, isReady: () => state.isReady() });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const ask = async (path: string, method = 'GET'): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('tells probes whether the process is starting, serving or stalled', async () => {
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 503]);
    state.isReady = () => Promise.resolve(true);
    expect(await ask('/readyz?verbose')).toBe(200);
    state.isReady = () => Promise.reject(new Error('The store is away.'));
    state.isLive = false;
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([503, 503]);
  });

  it('serves metrics, and nothing else', async () => {
    expect([await ask('/metrics'), await ask('/'), await ask('/livez', 'POST')]).toEqual([200, 404, 404]);
  });

  it('answers a probe while a client holds all the connections it accepts', async () => {
    let closed = 0;
    for (let index = 0; index < 60; index += 1)
      open.push(
        connect(port, '127.0.0.1')
          .on('close', () => (closed += 1))
          .on('error', () => undefined),
      );
    await until('those beyond the bound are closed', () => closed >= 40);
    expect(await ask('/metrics')).toBe(200);
  });
});
