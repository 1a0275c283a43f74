import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReadCredentialFile, MAX_FILE_BYTES } from './credential-files';

describe('credential files', () => {
  const base = mkdtempSync(join(tmpdir(), 'weft-credential-files-'));
  const folder = join(base, 'files');
  const read = createReadCredentialFile(folder);
  const problem = (text: string) => ({ problem: expect.stringContaining(text) });

  beforeAll(() => {
    mkdirSync(join(folder, 'billing'), { recursive: true });
    writeFileSync(join(folder, 'token'), 't0ken\r\n\n');
    writeFileSync(join(folder, 'billing', 'api-key.v2'), 'first\nsecond\n');
    writeFileSync(join(folder, '.hidden'), 'hidden');
    writeFileSync(join(base, 'outside'), 'outside');
    mkdirSync(join(base, 'files-too'));
    writeFileSync(join(base, 'files-too', 'key'), 'outside');
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it('are read without trailing line ends', async () => {
    await expect(read('token')).resolves.toEqual({ text: 't0ken' });
    await expect(read('billing/api-key.v2')).resolves.toEqual({ text: 'first\nsecond' });
  });

  it.each([
    '',
    '.',
    '..',
    '../outside',
    'billing/../token',
    'billing/../../outside',
    '/etc/passwd',
    'billing//api-key.v2',
    'billing/',
    './token',
    '.hidden',
    '..data/token',
    'token\0',
    'token\n',
    '..\\outside',
    '%2e%2e/outside',
    'file:///etc/passwd',
    '~/token',
    '$HOME',
    'tokén',
    'token/'.repeat(100),
    'a'.repeat(100_000),
  ])('are not named by %j', async (name) => {
    await expect(read(name)).resolves.toEqual(problem('must name a file by at most 200 letters'));
  });

  it.each(['none', 'billing/none', 'token/below', 'constructor', '__proto__'])('must exist: %s', async (name) => {
    await expect(read(name)).resolves.toEqual(problem('that exists'));
  });

  it('are never read through links that leave the folder', async () => {
    symlinkSync(join(base, 'outside'), join(folder, 'out'));
    symlinkSync(base, join(folder, 'up'));
    symlinkSync('../files-too', join(folder, 'beside'));
    for (const name of ['out', 'up/outside', 'beside/key'])
      await expect(read(name)).resolves.toEqual(problem('leads out of it'));
    await expect(read('up/files/token')).resolves.toEqual({ text: 't0ken' });
  });

  it('are read again when the link of a mounted secret is replaced', async () => {
    for (const [version, text] of [
      ['..one', 'before'],
      ['..two', 'after'],
    ] as const) {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'rotated'), text);
    }
    symlinkSync('..one', join(folder, '..data'));
    symlinkSync('..data/rotated', join(folder, 'rotated'));
    await expect(read('rotated')).resolves.toEqual({ text: 'before' });
    symlinkSync('..two', join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, '..data'));
    await expect(read('rotated')).resolves.toEqual({ text: 'after' });
  });

  it('are text of bounded size', async () => {
    writeFileSync(join(folder, 'full'), 'x'.repeat(MAX_FILE_BYTES));
    writeFileSync(join(folder, 'vast'), 'x'.repeat(MAX_FILE_BYTES + 1));
    writeFileSync(join(folder, 'empty'), '\n');
    writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(read('full')).resolves.toEqual({ text: 'x'.repeat(MAX_FILE_BYTES) });
    await expect(read('vast')).resolves.toEqual(problem('at most 65536 bytes'));
    await expect(read('empty')).resolves.toEqual(problem('not empty'));
    await expect(read('binary')).resolves.toEqual(problem('UTF-8'));
  });

  it('must be regular files: pipes are not awaited', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(read('pipe')).resolves.toEqual(problem('regular file'));
    await expect(read('billing')).resolves.toEqual(problem('regular file'));
  });

  it('require a folder', async () => {
    await expect(createReadCredentialFile('')('token')).resolves.toEqual(problem('CREDENTIAL_FILES_DIR'));
    await expect(createReadCredentialFile(join(base, 'none'))('token')).resolves.toEqual(problem('that exists'));
  });
});
