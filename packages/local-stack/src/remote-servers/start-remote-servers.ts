import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { CHROOT_USER, prepareTree } from '../mongodb/chroot';
import type { InTree } from '../mongodb/chroot';
import { freePorts } from '../processes/free-port';
import { ManagedProcess } from '../processes/managed-process';
import type { DataFolder } from '../stack/data-folder';
import { waitUntil } from '../wait-until';
import { dovecotProgram, dovecotSettings } from './dovecot';
import { REMOTE_LOGIN, remoteServersRecipe, remoteTreeOf } from './remote-tree';

/** Addresses of servers for tests, as environment variables. */
export interface RemoteVariables {
  readonly TEST_IMAP_URL: string;
}

/** Servers that answer. */
export interface RemoteServers {
  readonly variables: RemoteVariables;
  stop(): Promise<void>;
}

/** One server of the tests. */
interface ServerPlan {
  readonly name: string;
  readonly port: number;
  readonly settings: string;
  /** Its command line with the file of its settings. */
  readonly program: (file: string) => readonly [string, ...string[]];
}

/**
 * Starts an IMAP server on a free port of 127.0.0.1, empty, below `remote` of the data folder; unpacks it first if the
 * cache lacks it. @throws StackError where it cannot be set up
 */
export async function startRemoteServers(cache: string, folder: DataFolder, report: Report): Promise<RemoteServers> {
  const built = await builtOnce(cache, remoteServersRecipe(report), report);
  const home = join(folder.path, 'remote');
  mkdirSync(home, { recursive: true });
  rmSync(join(home, 'data'), { recursive: true, force: true });
  const inTree = await prepareTree(remoteTreeOf(built), home);
  const [imap = 0] = await freePorts(1);
  const plans: readonly ServerPlan[] = [
    { name: 'test-dovecot', port: imap, settings: dovecotSettings(imap), program: dovecotProgram },
  ];
  const started = await Promise.allSettled(plans.map((plan) => startServer(plan, inTree, join(home, 'data'), folder)));
  const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    variables: { TEST_IMAP_URL: `imap://${REMOTE_LOGIN.user}:${REMOTE_LOGIN.password}@127.0.0.1:${imap}` },
    stop,
  };
}

async function startServer(
  { name, port, settings, program }: ServerPlan,
  inTree: InTree,
  data: string,
  { path, ledger }: DataFolder,
): Promise<ManagedProcess> {
  writeFileSync(join(data, `${name}.conf`), settings);
  chownSync(join(data, `${name}.conf`), CHROOT_USER, CHROOT_USER);
  const [command, ...args] = program(`/data/${name}.conf`);
  const server = ManagedProcess.start({
    name,
    ...inTree(command, ...args),
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    logFile: join(path, `logs/${name}.log`),
    stopManner: { signal: 'SIGTERM', graceMs: 5_000 },
    ledger,
  });
  const answers = await waitUntil(() => server.hasEnded || greetsOn(port), { limitMs: 60_000 });
  if (answers === true && !server.hasEnded) return server;
  await server.stop();
  throw new StackError(`The server ${name} did not get ready; its log is ${server.logFile}.`);
}

/** True if the server says anything: all of these speak first. */
function greetsOn(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const finish = (answered: boolean): void => {
      socket.destroy();
      settle(answered);
    };
    socket.once('data', () => finish(true));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => finish(false));
  });
}
