import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Ledger } from '../processes/ledger';
import { ManagedProcess } from '../processes/managed-process';
import { StackError } from '../errors';
import { waitUntil } from '../wait-until';

/** Settings of a NATS server. */
export interface NatsPlan {
  /** Path of the program. */
  readonly program: string;
  /** Port of 127.0.0.1. */
  readonly port: number;
  /** Data folder of the stack: the streams are in `nats` below it, the log in `logs/nats.log`. */
  readonly data: string;
  readonly ledger: Ledger;
  /** Path of a configuration file with more settings, such as users and TLS. */
  readonly configFile?: string;
}

/** Name of the NATS server in logs and ledger. */
export const NATS = 'nats';

/** Stop signal and time of a NATS server: it writes out its streams in well under a second. */
export const NATS_STOP = { signal: 'SIGTERM', graceMs: 5_000 } as const;

/** A NATS server with JetStream on files, which can be lost and started again on the same port. */
export class NatsServer {
  private constructor(
    private readonly plan: NatsPlan,
    private current: ManagedProcess,
  ) {}

  /** Starts the server and returns when it is ready. Throws a sentence if it ends first or is not ready within 10 s. */
  static async start(plan: NatsPlan): Promise<NatsServer> {
    return new NatsServer(plan, await spawnNats(plan));
  }

  get url(): string {
    return `nats://127.0.0.1:${this.plan.port}`;
  }

  /** The process that runs now, or ran last. */
  get process(): ManagedProcess {
    return this.current;
  }

  /** Kills the server and removes all its streams, like the loss of a volume. */
  async lose(): Promise<void> {
    this.current.kill('SIGKILL');
    await this.current.ended;
    rmSync(storeOf(this.plan), { recursive: true, force: true });
  }

  /** Starts the server again after it ended, with the rest of its streams. */
  async startAgain(): Promise<void> {
    await this.current.stop();
    this.current = await spawnNats(this.plan);
  }

  stop(): Promise<void> {
    return this.current.stop();
  }
}

async function spawnNats(plan: NatsPlan): Promise<ManagedProcess> {
  mkdirSync(storeOf(plan), { recursive: true });
  const more = plan.configFile === undefined ? [] : ['--config', plan.configFile];
  const server = ManagedProcess.start({
    name: NATS,
    command: plan.program,
    args: ['--addr', '127.0.0.1', '--port', String(plan.port), '--jetstream', '--store_dir', storeOf(plan), ...more],
    env: { PATH: process.env['PATH'] },
    logFile: join(plan.data, 'logs/nats.log'),
    stopManner: NATS_STOP,
    ledger: plan.ledger,
  });
  try {
    await waitUntilReady(server, plan.port);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function storeOf({ data }: NatsPlan): string {
  return join(data, 'nats');
}

/** Waits until the server greets with JetStream on. */
async function waitUntilReady(server: ManagedProcess, port: number): Promise<void> {
  const ready = await waitUntil(
    async () => {
      server.throwIfEnded();
      return (await greeting(port)).includes('"jetstream":true');
    },
    { limitMs: 10_000 },
  );
  if (!ready) throw new StackError(`The NATS server did not get ready within 10 s; its log is ${server.logFile}.`);
}

/** The first bytes that a server on that port sends; empty if there is none or it stays silent for a second. */
function greeting(port: number): Promise<string> {
  return new Promise((settle) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const finish = (text: string): void => {
      socket.destroy();
      settle(text);
    };
    socket.once('data', (bytes) => finish(bytes.toString('latin1')));
    socket.once('error', () => finish(''));
    socket.once('timeout', () => finish(''));
    socket.once('close', () => finish(''));
  });
}
