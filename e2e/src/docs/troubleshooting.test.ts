import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesBelow(path);
    return /\.(?:ts|mjs)$/.test(entry.name) && !/\.test\./.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });

/** Sources as their messages read: parts of strings joined, and `…` for what is filled in. */
const messages = ['services', 'packages']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .flatMap((folder) => ['src', 'bin'].map((part) => join(folder, part)))
  .flatMap((folder) => {
    try {
      return sourcesBelow(folder);
    } catch {
      return [];
    }
  })
  .map((text) =>
    text
      .replaceAll(/['`]\s*\+\s*['`]/g, '')
      .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '…')
      .replaceAll(/\\(['"`])/g, '$1'),
  )
  .join('\n');

/** Messages in the first column of the tables of a page. */
const quotedBy = (page: string): readonly string[] =>
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? [])
    .filter((message) => message.includes(' '));

/** Placeholders of a page may stand for more than one of the source, so only the words between them are compared. */
const wordsOf = (message: string): readonly string[] =>
  message
    .split('…')
    .map((part) => part.replaceAll(/^[^\w{/]+|[^\w.?:;)}]+$/g, '').trim())
    .filter((part) => part.length > 7);

describe.each([
  ['docs/troubleshooting.md', 25],
  ['docs/guides/migrate-from-n8n.md', 9],
])('%s', (page, least) => {
  const quoted = quotedBy(page);

  it('quotes messages that the product has', () => {
    expect(quoted.length).toBeGreaterThanOrEqual(least);
    const unknown = quoted.filter((message) => !wordsOf(message).every((words) => messages.includes(words)));
    expect(unknown).toEqual([]);
  });

  it('quotes enough of each message to recognise it', () => {
    expect(quoted.filter((message) => wordsOf(message).length === 0)).toEqual([]);
  });
});
