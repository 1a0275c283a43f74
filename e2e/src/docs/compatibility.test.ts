import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

describe('docs/compatibility.md', () => {
  it('lists the node kinds and versions that the catalogue holds', () => {
    const made = execFileSync(process.execPath, [join(root, 'docs', 'make-compatibility.mjs'), '--print'], {
      encoding: 'utf8',
    });
    expect(readFileSync(join(root, 'docs', 'compatibility.md'), 'utf8')).toBe(made);
  });
});
