import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder, writeSums } from './pack';

const TIME = 1_764_460_800;

describe('a packed folder', () => {
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'weft-pack-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  const write = (parent: string, names: readonly string[], mode: number): void => {
    mkdirSync(join(scratch, parent, 'release'), { recursive: true });
    for (const name of names) {
      const file = join(scratch, parent, 'release', name);
      writeFileSync(file, 'content');
      chmodSync(file, name === 'run' ? mode | 0o111 : mode);
    }
    symlinkSync('run', join(scratch, parent, 'release/link'));
  };

  it('has the same bytes for files of another time, order, mode and link count', async () => {
    write('one', ['a', 'b', 'run'], 0o644);
    write('other', ['run', 'b', 'a'], 0o600);
    utimesSync(join(scratch, 'other/release/a'), 1, 1);
    rmSync(join(scratch, 'other/release/b'));
    linkSync(join(scratch, 'other/release/a'), join(scratch, 'other/release/b'));

    for (const name of ['one', 'other']) {
      mkdirSync(join(scratch, 'out'), { recursive: true });
      await packFolder(join(scratch, name), 'release', join(scratch, 'out', `${name}.tar.gz`), TIME);
    }
    const [first = '', second = ''] = await writeSums(join(scratch, 'out'));
    expect(first.slice(0, 64)).toBe(second.slice(0, 64));

    const listing = execFileSync('tar', ['-tvzf', join(scratch, 'out/one.tar.gz'), '--utc', '--full-time'], {
      encoding: 'utf8',
    });
    expect(listing.split('\n').map((line) => line.split(/\s+/).slice(-1)[0])).toEqual([
      ...['release/', 'release/a', 'release/b', 'run', 'release/run', ''],
    ]);
    expect(listing.match(/2025-11-30 00:00:00/g)).toHaveLength(5);
    expect(listing).toMatch(/^-rwxr-xr-x 0\/0 .* release\/run$/m);
  });

  it('has sums that sha256sum accepts, and other sums after a change', async () => {
    writeFileSync(join(scratch, 'one'), 'content');
    await writeSums(scratch);
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: scratch, encoding: 'utf8' })).toBe('one: OK\n');
    const before = readFileSync(join(scratch, 'SHA256SUMS'), 'utf8');
    writeFileSync(join(scratch, 'one'), 'content!');
    await writeSums(scratch);
    expect(readFileSync(join(scratch, 'SHA256SUMS'), 'utf8')).not.toBe(before);
  });
});
