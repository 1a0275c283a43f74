import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request to a gateway. */
export interface CrowdRequest {
  /** Method; POST by default. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Result of one request. Times in milliseconds of Date.now(). */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly text: string;
      readonly retryAfter: string | undefined;
      readonly sentAt: number;
      readonly doneAt: number;
    }
  /** Refused, reset, cut in the middle, or not answered in time. */
  | { readonly kind: 'broken'; readonly what: string; readonly sentAt: number; readonly doneAt: number };

/** Clients behind a load balancer that divides connections, as a Service of Kubernetes does. */
export interface Crowd {
  readonly send: (wanted: CrowdRequest) => Promise<Reply>;
  readonly stop: () => Promise<void>;
}

interface Client {
  readonly agent: Agent;
  base: string;
}

/** Time until the balancer learns that a gateway is not ready: an endpoint is removed within about that time. */
const LOOK_EVERY_MS = 300;
const TIMEOUT_MS = 40_000;

const isReady = (base: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request(`${base}/readyz`, { agent: false, timeout: 1_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });

const sendOnce = ({ agent, base }: Client, { method = 'POST', path, body, headers }: CrowdRequest): Promise<Reply> =>
  new Promise((resolve) => {
    const sentAt = Date.now();
    const broken = (what: string): void => resolve({ kind: 'broken', what, sentAt, doneAt: Date.now() });
    const length = String(Buffer.byteLength(body));
    const asked = request(
      `${base}${path}`,
      { agent, method, headers: { 'content-type': 'application/json', 'content-length': length, ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            kind: 'answer',
            status: answer.statusCode ?? 0,
            text: Buffer.concat(parts).toString('utf8'),
            retryAfter: answer.headers['retry-after'],
            sentAt,
            doneAt: Date.now(),
          }),
        );
        answer.on('close', () => broken('cut in the middle of the answer'));
      },
    );
    let isConnected = false;
    asked.on('socket', (socket) => {
      isConnected = !socket.connecting;
      // a kept connection emits no new connect event: its listeners would accumulate, one per request
      if (!isConnected) socket.once('connect', () => (isConnected = true));
    });
    const late = (): Error => new Error(`no ${isConnected ? 'answer' : 'connection'} within ${TIMEOUT_MS / 1_000} s`);
    const timer = setTimeout(() => asked.destroy(late()), TIMEOUT_MS);
    asked.on('close', () => clearTimeout(timer));
    asked.on('error', (error: NodeJS.ErrnoException) =>
      broken(`${error.code ?? error.message}${asked.reusedSocket ? ' on a connection that was kept' : ''}`),
    );
    asked.end(body);
  });

/**
 * A crowd of clients: each holds its connection to one gateway for as long as the gateway does, and opens the next to a
 * gateway that was ready when the balancer last checked. They take turns, so that all connections are in use.
 */
export const startCrowd = (baseUrls: readonly string[], most = 2_000): Crowd => {
  const idle: Client[] = [];
  const all: Client[] = [];
  const waiting: ((client: Client) => void)[] = [];
  let ready = [...baseUrls];
  let turn = 0;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const answers = await Promise.all(baseUrls.map(isReady));
    ready = baseUrls.filter((_, index) => answers[index] === true);
  };
  const looking = (async () => {
    while (!isStopped) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();
  const take = async (): Promise<Client> => {
    const free = idle.shift();
    if (free !== undefined) return free;
    if (all.length >= most) return new Promise((resolve) => waiting.push(resolve));
    const client = { agent: new Agent({ keepAlive: true, maxSockets: 1 }), base: '' };
    all.push(client);
    return client;
  };
  return {
    send: async (wanted) => {
      const client = await take();
      const hasConnection = Object.keys(client.agent.freeSockets).length > 0;
      const choices = ready.length === 0 ? baseUrls : ready;
      if (!hasConnection) client.base = choices[turn++ % choices.length] ?? '';
      try {
        return await sendOnce(client, wanted);
      } finally {
        const next = waiting.shift();
        if (next === undefined) idle.push(client);
        else next(client);
      }
    },
    stop: async () => {
      isStopped = true;
      await looking;
      for (const { agent } of all) agent.destroy();
    },
  };
};
