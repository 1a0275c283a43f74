import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Effect of a proxy on its traffic. */
export type ProxyMode =
  | { readonly kind: 'pass' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Connections are cut, new ones too. */
  | { readonly kind: 'reset' }
  /** Connections stay, new ones are taken, and nothing arrives. */
  | { readonly kind: 'half-open' }
  /** Requests of the client arrive; responses of the server do not. */
  | { readonly kind: 'lose-answers' };

/** A TCP proxy on a port of 127.0.0.1. */
export interface Proxy {
  readonly port: number;
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

/** Starts a proxy in front of a port of 127.0.0.1. */
export const startProxy = async (targetPort: number): Promise<Proxy> => {
  let mode: ProxyMode = { kind: 'pass' };
  const pairs = new Set<Pair>();

  const drop = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  };
  const pipe = (pair: Pair, from: Socket, to: Socket, isAnswer: boolean): void => {
    /** Pieces are passed on in the order in which they came, also when the delay changes. */
    let queue: Promise<unknown> = Promise.resolve();
    from.on('data', (piece) => {
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
      if (mode.kind === 'half-open') from.destroy();
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
