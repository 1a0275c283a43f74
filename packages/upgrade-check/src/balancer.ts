import { statusOf } from '@weft/local-stack';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One address in front of several gateways. */
export interface Balancer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Sets the ports of the gateways on 127.0.0.1, once. */
  readonly setTargets: (ports: readonly number[]) => void;
  readonly stop: () => Promise<void>;
}

const LOOK_EVERY_MS = 200;
/** As the probe of the deployment: a gateway that is merely slow stays in use. */
const ANSWER_LIMIT_MS = 5_000;

/**
 * Divides connections among the gateways that were ready when it last checked, as a Service of Kubernetes does: an open
 * connection stays with its gateway, whatever becomes of it.
 */
export const startBalancer = async (): Promise<Balancer> => {
  let targets: readonly number[] = [];
  const ready = new Set<number>();
  let next = 0;
  let isStopped = false;
  const sockets = new Set<Socket>();

  const look = async (port: number): Promise<void> => {
    const status = await statusOf({ host: '127.0.0.1', port, timeoutMs: ANSWER_LIMIT_MS }, '/readyz');
    if (status === 200) ready.add(port);
    else ready.delete(port);
  };
  const keepLooking = async (port: number): Promise<void> => {
    while (!isStopped) {
      await look(port);
      await sleep(LOOK_EVERY_MS);
    }
  };
  let looking: Promise<unknown> = Promise.resolve();

  const server = createServer({ noDelay: true }, (client) => {
    const choices = targets.filter((target) => ready.has(target));
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
      for (const each of ports) ready.add(each);
      looking = Promise.all(ports.map(keepLooking));
    },
    stop: async () => {
      isStopped = true;
      await looking;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
