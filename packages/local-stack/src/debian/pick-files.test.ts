import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UnpackedPackage } from './extract-packages';
import { pickFiles } from './pick-files';

const MAIN = '/usr/lib/x86_64-linux-gnu';
const LIBRARIES = { loader: `${MAIN}/ld-linux-x86-64.so.2`, folders: [MAIN] };
const WANTED = { binaries: ['/usr/bin/server'], data: ['/usr/share/licences'] };

const packageOf = (name: string, ...files: string[]): UnpackedPackage => ({
  ...{ name, version: '1', architecture: 'amd64', source: name, sourceVersion: '1', sha256: '', files },
});

describe('the files that are picked from unpacked packages', () => {
  let scratch: string;
  let unpacked: string;

  /** `library`: line that the loader prints for the server */
  const unpack = (library: string): void => {
    const write = (path: string, content: string, mode = 0o644): void => {
      mkdirSync(dirname(join(unpacked, path)), { recursive: true });
      writeFileSync(join(unpacked, path), content, { mode });
    };
    write(LIBRARIES.loader, `#!/bin/sh\nprintf '\\tlinux-vdso.so.1 (0x1)\\n\\t%s (0x2)\\n' '${library}'\n`, 0o755);
    write('usr/bin/server', 'server');
    write('usr/bin/unused', 'unused');
    write(`${MAIN}/libneeded.so.1.2`, 'library');
    symlinkSync('libneeded.so.1.2', join(unpacked, MAIN, 'libneeded.so.1'));
    for (const name of ['server', 'libneeded', 'unused']) write(`usr/share/doc/${name}/copyright`, name);
    write('usr/share/licences/GPL-2', 'licence');
    symlinkSync('GPL-2', join(unpacked, 'usr/share/licences/GPL'));
  };
  const PACKAGES = [
    packageOf('server', 'usr/bin/', 'usr/bin/server'),
    packageOf('libneeded', `${MAIN.slice(1)}/libneeded.so.1.2`),
    packageOf('unused', 'usr/bin/', 'usr/bin/unused', 'usr/share/licences/'),
    packageOf('licences', 'usr/share/licences/GPL-2'),
  ];

  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'weft-pick-')));
    unpacked = join(scratch, 'unpacked');
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  it('are the wanted ones, the libraries under the names that programs ask for, and their licences', async () => {
    unpack(`libneeded.so.1 => ${unpacked}${MAIN}/libneeded.so.1`);
    const tree = join(scratch, 'tree');
    const owners = await pickFiles(unpacked, PACKAGES, LIBRARIES, WANTED, tree);

    expect(owners.map(({ name }) => name)).toEqual(['server', 'libneeded', 'licences']);
    const has = (path: string): boolean => existsSync(join(tree, path));
    expect([`${MAIN}/libneeded.so.1`, 'usr/bin/server', 'usr/share/doc/libneeded/copyright'].map(has)).not.toContain(
      false,
    );
    expect([`${MAIN}/libneeded.so.1.2`, 'usr/bin/unused', 'usr/share/doc/unused'].map(has)).not.toContain(true);
    // an absolute link would lead out of a tree that was moved
    expect(readlinkSync(join(tree, 'usr/share/licences/GPL'))).toBe('GPL-2');
  });

  it('are refused if a library comes from the machine', async () => {
    unpack('libneeded.so.1 => /usr/lib/libneeded.so.1');
    await expect(pickFiles(unpacked, PACKAGES, LIBRARIES, WANTED, join(scratch, 'tree'))).rejects.toThrow(
      '/usr/bin/server needs libneeded.so.1, which no package contains.',
    );
  });
});
