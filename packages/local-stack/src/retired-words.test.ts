import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'bin', 'check-words.mjs');

describe('the check of words', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-words-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (text: string) => {
    const file = join(folder, 'a.ts');
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
    return { status, stderr };
  };

  it.each([
    ['an identifier', 'const findSleepers = 1;', 'use inProcessWaits'],
    ['a comment', '// first\n// Neighbours of the service.', 'a.ts:2'],
    ['a message', "fail('There is nothing at /x.')", 'use Not found:'],
    ['a constant', 'const RETRY_MAX = 3;', 'use MAX_ in front'],
  ])('fails for a retired word in %s, and names its place and replacement', (_, text, expected) => {
    const { status, stderr } = check(text);
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
  });

  it('passes text without retired words', () => {
    expect(check('const MAX_RETRIES = Number.MAX_SAFE_INTEGER;\nconst outcome = 1;')).toEqual({
      status: 0,
      stderr: '',
    });
  });
});
