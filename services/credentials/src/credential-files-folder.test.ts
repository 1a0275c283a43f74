import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialFilesErrors } from './credential-files-folder';

describe('the folder of credential files', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'weft-files-folder-')));
  const folder = join(base, 'files');
  mkdirSync(folder);
  writeFileSync(join(folder, 'key'), 'k');
  writeFileSync(join(base, 'elsewhere'), 'k');
  symlinkSync(folder, join(base, 'link'));
  afterAll(() => rmSync(base, { recursive: true }));

  it('is optional, and may be any folder without secrets of this service', () => {
    expect(credentialFilesErrors('', { MASTER_KEY_FILE: join(folder, 'key') })).toEqual([]);
    expect(credentialFilesErrors(folder, { MASTER_KEY_FILE: join(base, 'elsewhere'), OTHER: folder })).toEqual([]);
    expect(credentialFilesErrors(folder, { MASTER_KEY_FILE: join(base, 'files-of-mine', 'key') })).toEqual([]);
  });

  it.each([
    ['a relative path', 'files'],
    ['a file', join(base, 'elsewhere')],
    ['nothing', join(base, 'none')],
  ])('must be a folder: %s', (_, path) => {
    expect(credentialFilesErrors(path, {})).toEqual([expect.stringContaining('absolute path of a folder')]);
  });

  it.each([
    ['directly', folder, join(folder, 'key')],
    ['by a link to the folder', join(base, 'link'), join(folder, 'key')],
    ['by a link to the file', folder, join(base, 'link', 'key')],
    ['in a folder within it', base, join(folder, 'key')],
    ['below the root', '/', join(folder, 'key')],
    ['as a file that is not there yet', folder, join(folder, 'later')],
  ])('must not hold a secret of this service: %s', (_, path, file) => {
    expect(credentialFilesErrors(path, { MASTER_KEY_FILE: file })).toEqual([
      expect.stringContaining('the file of MASTER_KEY_FILE lies in it'),
    ]);
  });
});
