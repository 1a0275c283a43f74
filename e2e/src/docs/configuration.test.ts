import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

describe('docs/configuration.md', () => {
  it('lists what the services really read', () => {
    const made = execFileSync(process.execPath, [join(root, 'docs', 'make-configuration.mjs')], { encoding: 'utf8' });
    expect(readFileSync(join(root, 'docs', 'configuration.md'), 'utf8')).toBe(made);
  });
});
