import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

describe('docs/glossary.md', () => {
  it('has each term once, in alphabetical order', () => {
    const [words = ''] = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8').split('\n## ');
    const terms = [...words.matchAll(/^\| ([^|]+) \|/gm)].map(([, term = '']) => term.toLowerCase()).slice(1);
    expect(terms.length).toBeGreaterThan(50);
    expect(terms).toEqual([...new Set(terms)].sort());
  });
});
