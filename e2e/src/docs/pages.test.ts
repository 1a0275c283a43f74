import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '..', '..', '..', '..', 'docs');

describe('a page that is made from the code', () => {
  it.each([
    ['lists the node kinds and versions of the catalogue', 'compatibility.md', 'make-compatibility.mjs', ['--print']],
    ['describes the REST API', 'openapi.json', 'make-openapi.mjs', []],
    ['lists the variables that the services read', 'configuration.md', 'make-configuration.mjs', []],
    ['describes the kinds of the catalogue', 'nodes.md', 'make-nodes.mjs', []],
    ['lists the commands of the command line', 'cli.md', 'make-cli.mjs', []],
    ['describes the tools of MCP clients', 'mcp-tools.md', 'make-mcp-tools.mjs', []],
  ])('%s: %s', (_promise, page, script, args) => {
    const made = execFileSync(process.execPath, [join(docs, script), ...args], { encoding: 'utf8' });
    expect(readFileSync(join(docs, page), 'utf8')).toBe(made);
  });
});

describe('the pictures of the examples', () => {
  it('are drawn from the workflow files: npm run examples:draw', () => {
    const script = join(docs, '..', 'examples', 'draw.mjs');
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
  });
});

describe('docs/glossary.md', () => {
  it('has each term once, in alphabetical order', () => {
    const [words = ''] = readFileSync(join(docs, 'glossary.md'), 'utf8').split('\n## ');
    const terms = [...words.matchAll(/^\| ([^|]+) \|/gm)].map(([, term = '']) => term.toLowerCase()).slice(1);
    expect(terms.length).toBeGreaterThan(50);
    expect(terms).toEqual([...new Set(terms)].sort());
  });
});
