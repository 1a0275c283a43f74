import { Connection } from 'mongodb/lib/cmap/connection';
import { ConnectionPool } from 'mongodb/lib/cmap/connection_pool';

const { cleanup } = Connection.prototype;

/**
 * Works around a bug of the driver (7.8): a command that is written to a socket between its end and its `close` event
 * waits for `drain`, which a destroyed socket never emits. The operation then hangs for ever, and if it was the
 * heartbeat
 * of the server, the process considers the database unreachable until it is restarted. Here the cleanup of a connection
 * fails the pending writes.
 */
Connection.prototype.cleanup = function (error) {
  const wasClosed = this.closed;
  cleanup.call(this, error);
  if (wasClosed) return;
  // By then a concurrent command waits for `drain`.
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
