import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionPool } from 'mongodb/lib/cmap/connection_pool';
import './repair-driver';

describe('a pool of connections', () => {
  it('looks at its size once when it becomes ready, and not again while nothing happens', async () => {
    let looks = 0;
    const pool = {
      poolState: 'ready',
      options: { minPoolSize: 0, minPoolSizeCheckFrequencyMS: 1 },
      totalConnectionCount: 0,
      minPoolSizeTimer: undefined,
      connections: { prune: () => (looks += 1) },
      ensureMinPoolSize: ConnectionPool.prototype.ensureMinPoolSize,
    };
    pool.ensureMinPoolSize();
    await sleep(50);
    expect(looks).toBe(1);
  });
});
