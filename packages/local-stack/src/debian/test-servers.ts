import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { StackError } from '../errors';
import type { InTree } from '../processes/command-line';
import { ManagedProcess } from '../processes/managed-process';
import type { DataFolder } from '../stack/data-folder';
import { waitUntil } from '../wait-until';
import { CHROOT_USER } from './chroot';

/** A server of the tests, none of whose data is needed once it has ended. */
export interface TestServer {
  readonly name: string;
  /** A port of 127.0.0.1. */
  readonly port: number;
  readonly program: readonly [string, ...string[]];
  /** Sent to see whether it answers; empty if it speaks first. */
  readonly hello: Buffer;
  readonly stopSignal: 'SIGKILL' | 'SIGTERM';
}

/** Names the user of a tree's programs, with the home `/data`, and lets it write temporary files. */
export function nameTreeUser(tree: string, user: string): void {
  writeFileSync(
    join(tree, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\n${user}:x:${CHROOT_USER}:${CHROOT_USER}::/data:/bin/sh\n`,
  );
  writeFileSync(join(tree, 'etc/group'), `root:x:0:\n${user}:x:${CHROOT_USER}:\n`);
  mkdirSync(join(tree, 'data'), { recursive: true });
  chmodSync(join(tree, 'tmp'), 0o1777);
}

/**
 * Starts servers in a tree and waits until all of them answer.
 * @returns a function that stops them
 * @throws StackError if one does not get ready; then the others are stopped
 */
export async function startTestServers(
  servers: readonly TestServer[],
  inTree: InTree,
  folder: DataFolder,
): Promise<() => Promise<void>> {
  const started = await Promise.allSettled(servers.map((server) => startTestServer(server, inTree, folder)));
  const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed === undefined) return stop;
  await stop();
  throw failed.reason;
}

/** Starts a server in a tree and waits until it answers. @throws StackError if it does not get ready */
export async function startTestServer(
  plan: TestServer,
  inTree: InTree,
  { path, ledger }: DataFolder,
): Promise<ManagedProcess> {
  const [program, ...args] = plan.program;
  const server = ManagedProcess.start({
    name: plan.name,
    ...inTree(program, ...args),
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    logFile: join(path, `logs/${plan.name}.log`),
    stopManner: { signal: plan.stopSignal, graceMs: 5_000 },
    ledger,
  });
  const answers = await waitUntil(() => server.hasEnded || answersOn(plan), { limitMs: 60_000 });
  if (answers === true && !server.hasEnded) return server;
  await server.stop();
  throw new StackError(`The server ${plan.name} did not get ready; its log is ${server.logFile}.`);
}

/** True if the server sends anything. */
function answersOn({ port, hello }: TestServer): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const finish = (answered: boolean): void => {
      socket.destroy();
      settle(answered);
    };
    socket.once('connect', () => {
      if (hello.length > 0) socket.write(hello);
    });
    socket.once('data', () => finish(true));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => finish(false));
  });
}
