import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { librariesOf, wrapPrograms } from './unpacked-programs';

const MAIN = 'usr/lib/x86_64-linux-gnu';

describe('a tree of Debian packages', () => {
  let tree: string;

  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'weft tree-'));
    for (const folder of [MAIN, 'usr/bin']) mkdirSync(join(tree, folder), { recursive: true });
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  it('has its loader in the folder of its machine', () => {
    writeFileSync(join(tree, MAIN, 'ld-linux-x86-64.so.2'), '');
    expect(librariesOf(tree, ['/usr/lib/more'])).toEqual({
      loader: `/${MAIN}/ld-linux-x86-64.so.2`,
      folders: [`/${MAIN}`, '/usr/lib/more'],
    });
  });

  it('is refused without a loader', () => {
    expect(() => librariesOf(tree)).toThrow('has no loader of shared libraries');
  });

  it('runs a wrapped program by its own loader and libraries, under the path of the script', () => {
    const loader = `/${MAIN}/ld-linux-x86-64.so.2`;
    // prints its arguments instead of loading the program
    writeFileSync(join(tree, loader), '#!/bin/sh\nprintf "%s\\n" "$LOCPATH" "$@"\n', { mode: 0o755 });
    writeFileSync(join(tree, 'usr/bin/server'), 'an ELF file', { mode: 0o755 });

    wrapPrograms(tree, ['/usr/bin/server'], { loader, folders: [`/${MAIN}`, '/usr/lib/more'] });

    const printed = execFileSync(join(tree, 'usr/bin/server'), ['--data', 'a b'], { encoding: 'utf8' });
    expect(printed.trimEnd().split('\n')).toEqual([
      join(tree, 'usr/lib/locale'),
      '--library-path',
      `${tree}/${MAIN}:${tree}/usr/lib/more`,
      ...['--argv0', join(tree, 'usr/bin/server'), join(tree, 'usr/bin/server.elf'), '--data', 'a b'],
    ]);
  });
});
