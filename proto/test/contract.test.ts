import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PROTO_ROOT } from '../src/files';

const BUF = join(PROTO_ROOT, '..', 'node_modules', '.bin', 'buf');
const buf = (...args: string[]): string =>
  execFileSync(BUF, args, { cwd: PROTO_ROOT, encoding: 'utf8', timeout: 60_000 });

const filesUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });

const contentsOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(filesUnder(folder).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));

describe('the contract', () => {
  it('passes buf lint', () => {
    expect(buf('lint')).toBe('');
  });

  it('is compatible with the last release', () => {
    expect(buf('breaking', '--against', 'released.binpb')).toBe('');
  });

  it('has stubs generated from the current proto files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-stubs-'));
    try {
      buf('generate', '-o', folder);
      buf('build', '--as-file-descriptor-set', '-o', join(folder, 'gen', 'descriptors.binpb'));
      expect(contentsOf(join(folder, 'gen'))).toEqual(contentsOf(join(PROTO_ROOT, 'gen')));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
