import { Connection } from 'mongodb/lib/cmap/connection';

const { cleanup } = Connection.prototype;

/**
 * Repairs the driver (7.8): a command that is written to a socket between its end and its `close` event is waiting for
 * `drain`, which a destroyed socket never tells. An operation then hangs for ever, and where it was the check of the
 * server, the process takes the database for gone until it is restarted. When a connection is given up, whatever waits
 * to write on it is told why.
 */
Connection.prototype.cleanup = function (error) {
  const wasClosed = this.closed;
  cleanup.call(this, error);
  if (wasClosed) return;
  // a command that was on its way meanwhile has come to its wait by then
  setImmediate(() => {
    if (this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  });
};
