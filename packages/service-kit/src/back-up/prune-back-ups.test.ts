import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pruneBackUps } from './prune-back-ups';

const SERVICES = ['executions', 'workflows', 'credentials'];

describe('pruning back-ups', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-prune-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const add = (name: string, beganAt: string, services: readonly string[] = SERVICES): void => {
    for (const service of services) {
      mkdirSync(join(folder, name, service), { recursive: true });
      writeFileSync(join(folder, name, service, 'manifest.json'), JSON.stringify({ beganAt }));
    }
  };

  it('keeps the newest complete ones by the time in their manifests, and removes all others', async () => {
    add('c', '2026-01-01T02:30:00.000Z');
    add('b', '2026-01-02T02:30:00.000Z');
    add('a', '2026-01-03T02:30:00.000Z');
    add('unfinished', '2026-01-04T02:30:00.000Z', ['executions']);
    mkdirSync(join(folder, 'failed', 'executions.incomplete'), { recursive: true });
    expect(await pruneBackUps(folder, 2)).toEqual({ kept: ['a', 'b'], removed: ['c', 'failed', 'unfinished'] });
    expect(['a', 'b', 'c', 'unfinished'].map((name) => existsSync(join(folder, name)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('leaves files and folders alone that are not back-ups', async () => {
    add('a', '2026-01-03T02:30:00.000Z');
    mkdirSync(join(folder, 'lost+found'));
    writeFileSync(join(folder, 'notes.txt'), 'ours');
    await pruneBackUps(folder, 1);
    expect([existsSync(join(folder, 'lost+found')), existsSync(join(folder, 'notes.txt'))]).toEqual([true, true]);
  });

  it('removes nothing where no back-up is complete', async () => {
    add('a', '2026-01-03T02:30:00.000Z', ['executions', 'workflows']);
    await expect(pruneBackUps(folder, 1)).rejects.toThrow(/no complete back-up, so nothing was removed/);
    expect(existsSync(join(folder, 'a'))).toBe(true);
  });

  it('refuses to keep none', async () => {
    add('a', '2026-01-03T02:30:00.000Z');
    await expect(pruneBackUps(folder, 0)).rejects.toThrow('Keep at least 1 back-up.');
    expect(existsSync(join(folder, 'a'))).toBe(true);
  });
});
