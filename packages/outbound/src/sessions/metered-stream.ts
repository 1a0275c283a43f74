import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ByteMeter } from './byte-meter';

/**
 * A connected socket in the form that database clients expect, which counts the bytes that the server sends: a client
 * holds a whole message in memory before anything else sees it. Socket options set by clients have no effect.
 */
export class MeteredStream extends Duplex {
  constructor(
    private readonly socket: Socket,
    private readonly meter: ByteMeter,
  ) {
    super();
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.pause();
  }

  /** Resets the byte count to the limit of one query. */
  allow(): void {
    this.meter.reset();
  }

  /** Emits `connect` for the connected socket, as a client that dials expects. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // closed only with the socket: the TLS layer above reports first why it ended
    if (this.socket.closed) done(error);
    else this.socket.once('close', () => done(error)).destroy();
  }

  #receive(chunk: Buffer): void {
    const refused = this.meter.take(chunk.length);
    if (refused !== undefined) this.destroy(refused);
    else if (!this.push(chunk)) this.socket.pause();
  }
}
