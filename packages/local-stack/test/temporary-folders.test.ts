import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../src/processes/process-identity';
import { openDataFolder, removeDatabases, sweepTemporaryFolders, temporaryFolder } from '../src/stack/data-folder';

describe('sweepTemporaryFolders', () => {
  let data: string;
  beforeEach(() => (data = mkdtempSync(join(tmpdir(), 'weft-sweep-'))));
  afterEach(() => rmSync(data, { recursive: true }));

  const silent = (): void => undefined;

  it('does not touch a folder that a stack uses', async () => {
    const folder = await openDataFolder(temporaryFolder(data), silent);
    await sweepTemporaryFolders(data);
    expect(existsSync(folder.path)).toBe(true);
    folder.release();
  });

  it('ends what runs on an abandoned folder and removes it', async () => {
    const folder = await openDataFolder(temporaryFolder(data), silent);
    const left = spawn('sleep', ['60']);
    folder.ledger.add('left', left.pid ?? 0);
    folder.release();
    await sweepTemporaryFolders(data);
    expect(identify(left.pid ?? 0)).toBeUndefined();
    expect(readdirSync(join(data, 'temporary'))).toEqual([]);
  });

  it('leaves the logs if asked to', async () => {
    const folder = await openDataFolder(temporaryFolder(data), silent);
    writeFileSync(join(folder.path, 'secrets.json'), '{}');
    mkdirSync(join(folder.path, 'logs'));
    folder.release();
    await sweepTemporaryFolders(data, removeDatabases);
    expect(readdirSync(folder.path)).toEqual(['logs']);
  });
});
