import { Connection } from 'mongodb/lib/cmap/connection';
import { ConnectionPool } from 'mongodb/lib/cmap/connection_pool';

const { cleanup } = Connection.prototype;

/**
 * Works around a bug of the driver (7.8): a command written to a socket between its end and its `close` event waits for
 * `drain`, which a destroyed socket never emits. The operation then hangs forever, and if it was the server heartbeat,
 * the process considers the database unreachable until it is restarted. With this fix, the cleanup of a connection
 * fails its pending writes.
 */
Connection.prototype.cleanup = function (error) {
  const wasClosed = this.closed;
  cleanup.call(this, error);
  if (wasClosed) return;
  // By now a concurrent command is waiting for `drain`.
  setImmediate(() => {
    if (this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  });
};

const { ensureMinPoolSize } = ConnectionPool.prototype;

/**
 * A pool looks at its size ten times a second, which wakes an idle process, also where it has no least size as here.
 * Closed connections are removed when the pool becomes ready, and whenever one is taken from it.
 */
ConnectionPool.prototype.ensureMinPoolSize = function () {
  ensureMinPoolSize.call(this);
  clearTimeout(this.minPoolSizeTimer);
};
