import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Effect of a proxy on its traffic. */
export type ProxyMode =
  | { readonly kind: 'pass' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Connections are cut, new ones too. */
  | { readonly kind: 'reset' }
  /** Connections stay open, new ones are accepted, and nothing arrives. */
  | { readonly kind: 'half-open' }
  /** Requests of the client arrive; responses of the server do not. */
  | { readonly kind: 'lose-answers' };

/**
 * Sees every piece before it is passed on. True: this one, and what follows in the same direction of its connection,
 * is held until {@link Proxy.release}.
 */
export type Tap = (piece: Buffer, isAnswer: boolean) => boolean;

/** Changes a piece before anything else sees it. Protocols that send lengths need one of the same length. */
export type Rewrite = (piece: Buffer, isAnswer: boolean) => Buffer;

/** A TCP proxy on a port of 127.0.0.1. */
export interface Proxy {
  readonly port: number;
  readonly setTap: (tap: Tap) => void;
  readonly setRewrite: (rewrite: Rewrite) => void;
  /** Passes on held pieces, including those of a client that has ended since. */
  readonly release: () => void;
  /** From now on, also for connections that are open. */
  readonly setMode: (mode: ProxyMode) => void;
  /** Cuts all connections that are open. */
  readonly cut: () => void;
  readonly close: () => void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Data that one side of a connection sent, as long as it is held. */
interface HeldPieces {
  readonly pieces: Buffer[];
  readonly pair: Pair;
  readonly to: Socket;
  isOver: boolean;
}

/** Starts a proxy in front of a port of 127.0.0.1. */
export const startProxy = async (targetPort: number): Promise<Proxy> => {
  let mode: ProxyMode = { kind: 'pass' };
  let tap: Tap = () => false;
  let rewrite: Rewrite = (piece) => piece;
  const pairs = new Set<Pair>();
  const holds = new Map<Socket, HeldPieces>();

  const drop = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  };
  const pipe = (pair: Pair, from: Socket, to: Socket, isAnswer: boolean): void => {
    /** Pieces are passed on in the order in which they came, also when the delay changes. */
    let queue: Promise<unknown> = Promise.resolve();
    from.on('data', (sent: Buffer) => {
      const piece = rewrite(sent, isAnswer);
      if (tap(piece, isAnswer) && !holds.has(from)) holds.set(from, { pieces: [], pair, to, isOver: false });
      const held = holds.get(from);
      if (held !== undefined) return void held.pieces.push(piece);
      if (mode.kind === 'half-open' || (mode.kind === 'lose-answers' && isAnswer)) return;
      if (mode.kind === 'pass') {
        void queue.then(() => pass(from, to, piece));
        return;
      }
      const ms = mode.kind === 'delay' ? mode.ms : 0;
      queue = Promise.all([queue, sleep(ms)]).then(() => pass(from, to, piece));
    });
    // a half-open connection does not notify one side that the other is gone
    const gone = (): void => {
      const held = holds.get(from);
      if (held !== undefined) held.isOver = true;
      else if (mode.kind === 'half-open') from.destroy();
      else void queue.then(() => drop(pair));
    };
    from.on('end', gone);
    from.on('close', gone);
    from.on('error', gone);
  };
  const server: Server = createServer((client) => {
    client.setNoDelay(true);
    if (mode.kind === 'reset') return void client.destroy();
    const pair = { client, server: connect({ port: targetPort, host: '127.0.0.1', noDelay: true }) };
    pairs.add(pair);
    pipe(pair, client, pair.server, false);
    pipe(pair, pair.server, client, true);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setTap: (next) => {
      tap = next;
    },
    setRewrite: (next) => {
      rewrite = next;
    },
    release: () => {
      for (const [from, { pieces, pair, to, isOver }] of holds) {
        holds.delete(from);
        for (const piece of pieces) pass(from, to, piece);
        if (isOver) to.end(() => drop(pair));
      }
    },
    setMode: (next) => {
      mode = next;
      if (next.kind === 'reset') for (const pair of [...pairs]) drop(pair);
    },
    cut: () => {
      for (const pair of [...pairs]) drop(pair);
    },
    close: () => {
      server.close();
      for (const pair of [...pairs]) drop(pair);
    },
  };
};

/** Sends a piece on; the sender is held up while the receiver does not keep up. */
const pass = (from: Socket, to: Socket, piece: Buffer): void => {
  if (to.destroyed || to.write(piece)) return;
  from.pause();
  to.once('drain', () => from.resume());
};
