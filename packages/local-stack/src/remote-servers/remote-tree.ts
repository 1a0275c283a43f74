import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { nameTreeUser } from '../debian/test-servers';
import type { Report } from '../errors';
import { CHROOT_USER } from '../mongodb/chroot';

/** User and password of every server. */
export const REMOTE_LOGIN = { user: 'remote', password: 'test-password-1' } as const;

const PACKAGES = ['dovecot-imapd', 'dash', 'coreutils', 'base-files'];
const WAY_OUT = 'The tests of nodes that talk to mail servers are skipped; they run as root on a Debian machine.';

/** Folder of a built set that is the root file system of its programs. */
export const remoteTreeOf = (built: string): string => join(built, 'tree');

/** A root file system with Dovecot. */
export function remoteServersRecipe(report: Report): Recipe {
  return {
    name: 'remote-servers',
    inputs: { packages: PACKAGES.join(','), user: String(CHROOT_USER), layout: '1' },
    build: async (folder) => {
      const tree = remoteTreeOf(folder);
      mkdirSync(tree);
      const announcement = 'setting up an IMAP server for the tests (about a minute, once per machine)';
      await extractPackages(
        tree,
        PACKAGES,
        { purpose: 'An IMAP server for the tests', wayOut: WAY_OUT, announcement },
        report,
      );
      nameTreeUser(tree, REMOTE_LOGIN.user);
    },
  };
}
