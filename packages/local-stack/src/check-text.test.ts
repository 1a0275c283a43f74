import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'bin', 'check-text.mjs');

describe('the check of the text of sources', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-words-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (text: string, name = 'a.ts') => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
    return { status, stderr };
  };

  it.each([
    ['an identifier', 'const findSleepers = 1;', 'use inProcessWaits'],
    ['a comment', '// first\n// Neighbours of the service.', 'a.ts:2'],
    ['a message', "fail('There is nothing at /x.')", 'use Not found:'],
    ['a sentence', '// What is no object is refused.', 'use is not a'],
    ['a constant', 'const RETRY_MAX = 3;', 'use MAX_ in front'],
  ])('fails for a retired word in %s, and names its place and replacement', (_, text, expected) => {
    const { status, stderr } = check(text);
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
  });

  it('fails for a line of more than 120 characters, except in a page', () => {
    const line = `// ${'x '.repeat(60)}`;
    expect(check(line)).toMatchObject({ status: 1, stderr: expect.stringContaining('a.ts:1 has 123 characters') });
    expect(check(line, 'a.md').status).toBe(0);
  });

  it('passes text without retired words', () => {
    expect(check('const MAX_RETRIES = Number.MAX_SAFE_INTEGER;\n// There is no file.\nconst outcome = 1;')).toEqual({
      status: 0,
      stderr: '',
    });
  });
});
