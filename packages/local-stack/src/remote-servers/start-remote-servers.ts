import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { startTestServers, type TestServer } from '../debian/test-servers';
import type { Report } from '../errors';
import { CHROOT_USER, prepareTree } from '../mongodb/chroot';
import { freePorts } from '../processes/free-port';
import type { DataFolder } from '../stack/data-folder';
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
  const settings = join(home, 'data/test-dovecot.conf');
  writeFileSync(settings, dovecotSettings(imap));
  chownSync(settings, CHROOT_USER, CHROOT_USER);
  const server: TestServer = {
    name: 'test-dovecot',
    port: imap,
    program: dovecotProgram('/data/test-dovecot.conf'),
    hello: Buffer.alloc(0),
    stopSignal: 'SIGTERM',
  };
  const stop = await startTestServers([server], inTree, folder);
  return {
    variables: { TEST_IMAP_URL: `imap://${REMOTE_LOGIN.user}:${REMOTE_LOGIN.password}@127.0.0.1:${imap}` },
    stop,
  };
}
