import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { tryLock } from './lock';
import { identify } from './process-identity';

describe('tryLock', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weft-lock-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives the lock to one holder at a time and names that holder to the next', () => {
    const first = tryLock(join(folder, 'lock'));
    expect(first).toHaveProperty('lock');
    expect(tryLock(join(folder, 'lock'))).toEqual({ holder: identify(process.pid) });
  });

  it('is free again after its release', () => {
    const first = tryLock(join(folder, 'lock'));
    if ('lock' in first) first.lock.release();
    expect(tryLock(join(folder, 'lock'))).toHaveProperty('lock');
  });

  it('is taken over from a process that no longer runs', () => {
    const { pid } = spawnSync('true');
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid, startedAt: '1' }));
    expect(tryLock(join(folder, 'lock'))).toHaveProperty('lock');
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(JSON.stringify(identify(process.pid)));
  });

  it("is taken over when its holder's number belongs to another process by now", () => {
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, startedAt: '1' }));
    expect(tryLock(join(folder, 'lock'))).toHaveProperty('lock');
  });

  it('is taken over when its file was torn', () => {
    writeFileSync(join(folder, 'lock'), '{"pid":');
    expect(tryLock(join(folder, 'lock'))).toHaveProperty('lock');
  });

  it('leaves alone at release what another holder put there', () => {
    const first = tryLock(join(folder, 'lock'));
    writeFileSync(join(folder, 'lock'), 'of another');
    if ('lock' in first) first.lock.release();
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('of another');
  });
});
