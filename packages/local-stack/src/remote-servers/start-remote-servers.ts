import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { startTestServers, type TestServer } from '../debian/test-servers';
import type { Report } from '../errors';
import { CHROOT_USER, prepareTree, requireRoot } from '../debian/chroot';
import { freePorts } from '../processes/free-port';
import { runCommand } from '../processes/run-command';
import type { DataFolder } from '../stack/data-folder';
import { dovecotProgram, dovecotSettings } from './dovecot';
import { ftpUsersFile, proftpdProgram, proftpdSettings } from './proftpd';
import { remoteServersRecipe, remoteTreeOf, WAY_OUT } from './remote-tree';
import { hostKeyProgram, REMOTE_LOGIN, sshdProgram, sshdSettings } from './sshd';

/** Addresses of servers for tests, as environment variables. */
export interface RemoteVariables {
  readonly TEST_IMAP_URL: string;
  readonly TEST_SSH_URL: string;
  readonly TEST_FTP_URL: string;
}

/** Servers that answer. */
export interface RemoteServers {
  readonly variables: RemoteVariables;
  stop(): Promise<void>;
}

/**
 * Starts IMAP, SSH and FTP servers on free ports of 127.0.0.1, empty, below `remote` of the data folder; unpacks them
 * first if the cache lacks them. @throws StackError where they cannot be set up
 */
export async function startRemoteServers(cache: string, folder: DataFolder, report: Report): Promise<RemoteServers> {
  requireRoot(WAY_OUT);
  const built = await builtOnce(cache, remoteServersRecipe(report), report);
  const home = join(folder.path, 'remote');
  mkdirSync(home, { recursive: true });
  rmSync(join(home, 'data'), { recursive: true, force: true });
  const inTree = await prepareTree(remoteTreeOf(built), home);
  const [imap = 0, ssh = 0, ftp = 0] = await freePorts(3);
  const write = fileWriter(join(home, 'data'));
  write('test-dovecot.conf', dovecotSettings(imap));
  write('test-sshd.conf', sshdSettings(ssh, '/data/host-key'));
  write('test-proftpd.conf', proftpdSettings(ftp, '/data/ftp-users'));
  write('ftp-users', ftpUsersFile);
  for (const name of ['ftp', 'proftpd', 'ssh']) ownFolder(join(home, 'data', name));
  const keys = inTree(...hostKeyProgram('/data/host-key'));
  await runCommand(keys.command, keys.args);
  const stop = await startTestServers(
    [
      planOf('test-dovecot', imap, dovecotProgram('/data/test-dovecot.conf')),
      planOf('test-sshd', ssh, sshdProgram('/data/test-sshd.conf')),
      planOf('test-proftpd', ftp, proftpdProgram('/data/test-proftpd.conf')),
    ],
    inTree,
    folder,
  );
  const login = `${REMOTE_LOGIN.user}:${REMOTE_LOGIN.password}@127.0.0.1`;
  return {
    variables: {
      TEST_IMAP_URL: `imap://${login}:${imap}`,
      TEST_SSH_URL: `ssh://${login}:${ssh}/data/ssh`,
      TEST_FTP_URL: `ftp://${login}:${ftp}`,
    },
    stop,
  };
}

/** All of them speak first. */
function planOf(name: string, port: number, program: TestServer['program']): TestServer {
  return { name, port, program, hello: Buffer.alloc(0), stopSignal: 'SIGTERM' };
}

/** Writes files that belong to the user of the servers. */
const fileWriter =
  (folder: string) =>
  (name: string, content: string): void => {
    const path = join(folder, name);
    // an FTP server takes no file of users that others may read
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, CHROOT_USER, CHROOT_USER);
  };

function ownFolder(path: string): void {
  mkdirSync(path);
  chownSync(path, CHROOT_USER, CHROOT_USER);
}
