import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Ledger } from '../processes/ledger';
import { ManagedProcess } from '../processes/managed-process';
import { StackError } from '../errors';
import { waitUntil } from '../wait-until';

/** Where and how a NATS server runs. */
export interface NatsPlan {
  /** Path of the program. */
  readonly program: string;
  /** Port of 127.0.0.1. */
  readonly port: number;
  /** Data folder of the stack: the streams lie in `nats` below it, the log in `logs/nats.log`. */
  readonly data: string;
  readonly ledger: Ledger;
}

/** Name of the NATS server in logs and ledger. */
export const NATS = 'nats';

/** How a NATS server is stopped: it writes out its streams in well under a second. */
export const NATS_STOP = { signal: 'SIGTERM', graceMs: 5_000 } as const;

/** Starts a NATS server with JetStream on files and returns at once; {@link waitForNats} tells when it is ready. */
export function startNats(plan: NatsPlan): ManagedProcess {
  const store = join(plan.data, 'nats');
  mkdirSync(store, { recursive: true });
  return ManagedProcess.start({
    name: NATS,
    command: plan.program,
    args: ['--addr', '127.0.0.1', '--port', String(plan.port), '--jetstream', '--store_dir', store],
    env: { PATH: process.env['PATH'] },
    logFile: join(plan.data, 'logs/nats.log'),
    stopManner: NATS_STOP,
    ledger: plan.ledger,
  });
}

/** Waits until the server greets with JetStream on. Throws a sentence if it ends first or is not ready within 10 s. */
export async function waitForNats(server: ManagedProcess, port: number): Promise<void> {
  const ready = await waitUntil(
    async () => {
      server.throwIfEnded();
      return (await greeting(port)).includes('"jetstream":true');
    },
    { limitMs: 10_000 },
  );
  if (!ready) throw new StackError(`The NATS server did not get ready within 10 s; its log is ${server.logFile}.`);
}

/** The first bytes that a server on that port says; empty if there is none or it stays silent for a second. */
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
