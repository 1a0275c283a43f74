import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

describe('docs/nodes.md', () => {
  it('describes the kinds of the catalogue; npm run docs:nodes makes it anew', () => {
    const made = execFileSync(process.execPath, [join(root, 'docs', 'make-nodes.mjs')], { encoding: 'utf8' });
    expect(readFileSync(join(root, 'docs', 'nodes.md'), 'utf8')).toBe(made);
  });
});
