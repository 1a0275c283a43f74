import { randomBytes, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import type { OpenSocket } from '../mail/mail-sender';
import type { ByteMeter } from '../sessions/byte-meter';

// SOCKS 5, RFC 1928, with user and password, RFC 1929
const VERSION = 5;
const BY_PASSWORD = 2;
const PASSWORD_VERSION = 1;
const CONNECT = 1;
const ADDRESS = { ipv4: 1, name: 3, ipv6: 4 } as const;
const GRANTED = 0;
const FAILED = 1;
/** Version, status, a reserved byte, and an empty address. */
const replyOf = (status: number): Buffer => Buffer.from([VERSION, status, 0, ADDRESS.ipv4, 0, 0, 0, 0, 0, 0]);

const HANDSHAKE_MS = 10_000;
/** Concurrent connections of one session: a driver opens two or three for each member of a replica set. */
const MAX_CONNECTIONS = 32;
/** Total connections of one session: a server may keep announcing new members. */
const MAX_OPENED = 256;

/** A host that could not be reached. */
export interface Unreachable {
  readonly host: string;
  readonly port: number;
  readonly error: unknown;
}

/**
 * A SOCKS 5 proxy on the loopback address, for one session of a driver that accepts no stream: `openSocket` opens all
 * of its connections, including those to hosts that the server announces. The session alone knows its password. Emits
 * `error` when a limit is exceeded, `unreachable` with an Unreachable, and `close` once it is over.
 */
export class SocksRelay extends EventEmitter {
  readonly user = randomBytes(16).toString('hex');
  readonly password = randomBytes(16).toString('hex');
  /** True once any host was reached. */
  hasReached = false;
  #opened = 0;
  readonly #sockets = new Set<Socket>();
  readonly #ended = new AbortController();

  private constructor(
    private readonly server: Server,
    private readonly openSocket: OpenSocket,
    private readonly meter: ByteMeter,
  ) {
    super();
    server.on('connection', (socket) => this.#accept(socket));
    server.on('error', (error) => this.#break(error));
    server.once('close', () => this.emit('close'));
  }

  /** Starts a relay on a free port. */
  static async start(openSocket: OpenSocket, meter: ByteMeter): Promise<SocksRelay> {
    const server = createServer({ pauseOnConnect: true });
    server.maxConnections = MAX_CONNECTIONS;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SocksRelay(server, openSocket, meter);
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Lets servers send as much as one query may once more. */
  allow(): void {
    this.meter.reset();
  }

  /** Ends all connections. */
  destroy(): void {
    this.#ended.abort();
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #break(error: Error): void {
    this.emit('error', error);
    this.destroy();
  }

  #accept(client: Socket): void {
    this.#sockets.add(client);
    client.on('error', () => undefined).once('close', () => this.#sockets.delete(client));
    this.#serve(client).catch(() => client.destroy());
  }

  async #serve(client: Socket): Promise<void> {
    await this.#greet(client);
    const { host, port } = await destinationOf(client);
    this.#opened += 1;
    if (this.#opened > MAX_OPENED) throw new Error('The server asks for too many connections.');
    const target = await this.#reach(host, port);
    if (target === undefined) {
      client.end(replyOf(FAILED));
      return;
    }
    this.hasReached = true;
    client.write(replyOf(GRANTED));
    const counting = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const refused = this.meter.take(chunk.length);
        if (refused === undefined) done(null, chunk);
        else this.#break(refused);
      },
    });
    pipeline(client, target, () => undefined);
    pipeline(target, counting, client, () => undefined);
  }

  async #greet(client: Socket): Promise<void> {
    const [version, methods = 0] = await take(client, 2);
    if (version !== VERSION || !(await take(client, methods)).includes(BY_PASSWORD)) throw new Error('No SOCKS 5.');
    client.write(Buffer.from([VERSION, BY_PASSWORD]));
    const [, userBytes = 0] = await take(client, 2);
    const user = await take(client, userBytes);
    const [passwordBytes = 0] = await take(client, 1);
    const password = await take(client, passwordBytes);
    if (!isSame(user, this.user) || !isSame(password, this.password)) throw new Error('Not the owner of the relay.');
    client.write(Buffer.from([PASSWORD_VERSION, GRANTED]));
  }

  async #reach(host: string, port: number): Promise<Socket | undefined> {
    try {
      const target = await this.openSocket(host, port, this.#ended.signal);
      this.#sockets.add(target);
      return target.on('error', () => undefined).once('close', () => this.#sockets.delete(target));
    } catch (error) {
      this.emit('unreachable', { host, port, error } satisfies Unreachable);
      return undefined;
    }
  }
}

async function destinationOf(client: Socket): Promise<{ readonly host: string; readonly port: number }> {
  const [version, command, , type] = await take(client, 4);
  if (version !== VERSION || command !== CONNECT) throw new Error('Only connections are relayed.');
  const host = await hostOf(client, type);
  return { host, port: (await take(client, 2)).readUInt16BE() };
}

async function hostOf(client: Socket, type: number | undefined): Promise<string> {
  switch (type) {
    case ADDRESS.ipv4:
      return (await take(client, 4)).join('.');
    case ADDRESS.name: {
      const [bytes = 0] = await take(client, 1);
      return (await take(client, bytes)).toString('latin1');
    }
    case ADDRESS.ipv6: {
      const bytes = await take(client, 16);
      return Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16)).join(':');
    }
    case undefined:
    default:
      throw new Error('No form of address that is known.');
  }
}

const isSame = (given: Buffer, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(given, Buffer.from(wanted));

/** The next bytes of a handshake. */
async function take(client: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  const signal = AbortSignal.timeout(HANDSHAKE_MS);
  for (;;) {
    const taken: unknown = client.read(bytes);
    if (Buffer.isBuffer(taken) && taken.length === bytes) return taken;
    if (client.readableEnded || client.destroyed) throw new Error('The client has gone.');
    await once(client, 'readable', { signal });
  }
}
