import { statusOf } from '@weft/local-stack';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One address in front of several gateways. */
export interface Balancer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ports of the gateways on 127.0.0.1. */
  readonly setTargets: (ports: readonly number[]) => void;
  readonly stop: () => Promise<void>;
}

const LOOK_EVERY_MS = 200;
const ANSWER_LIMIT_MS = 1_000;

/**
 * Divides connections among the gateways that were ready when it last checked, as a Service of Kubernetes does: an open
 * connection stays with its gateway, whatever becomes of it.
 */
export const startBalancer = async (): Promise<Balancer> => {
  let targets: readonly number[] = [];
  let ready: readonly number[] = [];
  let next = 0;
  let isStopped = false;
  const sockets = new Set<Socket>();

  const isReady = async (port: number): Promise<boolean> =>
    (await statusOf({ host: '127.0.0.1', port, timeoutMs: ANSWER_LIMIT_MS }, '/readyz')) === 200;
  const look = async (): Promise<void> => {
    const asked = targets;
    const answers = await Promise.all(asked.map(isReady));
    ready = asked.filter((_, index) => answers[index] === true);
  };
  const looking = (async () => {
    while (!isStopped) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();

  const server = createServer({ noDelay: true }, (client) => {
    const choices = ready.length === 0 ? targets : ready;
    const port = choices[next % Math.max(1, choices.length)];
    next += 1;
    if (port === undefined) return void client.destroy();
    const gateway = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        // what has arrived is passed on first
        other.end();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    setTargets: (ports) => {
      targets = ports;
      ready = ports;
    },
    stop: async () => {
      isStopped = true;
      await looking;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
