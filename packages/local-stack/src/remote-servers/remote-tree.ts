import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { nameTreeUser } from '../debian/test-servers';
import type { Report } from '../errors';
import { CHROOT_USER } from '../debian/chroot';
import { REMOTE_LOGIN, shadowFile } from './sshd';

const PACKAGES = [
  'dovecot-imapd',
  'openssh-server',
  'openssh-client',
  'proftpd-core',
  'dash',
  'coreutils',
  'base-files',
];
/** Remedy where these servers cannot run. */
export const WAY_OUT =
  'The tests of nodes that talk to mail, SSH and FTP servers are skipped; they run as root on a Debian machine.';

/** Folder of a built set that is the root file system of its programs. */
export const remoteTreeOf = (built: string): string => join(built, 'tree');

/** A root file system with Dovecot, OpenSSH and ProFTPD. */
export function remoteServersRecipe(report: Report): Recipe {
  return {
    name: 'remote-servers',
    inputs: { packages: PACKAGES.join(','), user: String(CHROOT_USER), layout: '3' },
    build: async (folder) => {
      const tree = remoteTreeOf(folder);
      mkdirSync(tree);
      const announcement = 'setting up IMAP, SSH and FTP servers for the tests (about a minute, once per machine)';
      await extractPackages(
        tree,
        PACKAGES,
        { purpose: 'IMAP, SSH and FTP servers for the tests', wayOut: WAY_OUT, announcement },
        report,
      );
      nameTreeUser(tree, REMOTE_LOGIN.user);
      // the server reads it as the user whose password it holds
      writeFileSync(join(tree, 'etc/shadow'), shadowFile, { mode: 0o644 });
      mkdirSync(join(tree, 'dev'), { recursive: true });
      // no device: a tree is made of files. SSH servers open it at their start
      writeFileSync(join(tree, 'dev/null'), '');
      chmodSync(join(tree, 'dev/null'), 0o666);
    },
  };
}
