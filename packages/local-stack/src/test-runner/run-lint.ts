import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryCommand } from '../processes/run-command';
import { typesFingerprint } from './compiled-tree';

/**
 * Checks the whole source tree with ESLint and Prettier, which both cache the files they found nothing wrong with, and
 * its words and the width of its lines. The tree must be compiled. Returns the errors as text; undefined if all is
 * well.
 */
export async function runLint(checkout: string): Promise<string | undefined> {
  const commands = [
    [
      'node_modules/eslint/bin/eslint.js',
      ...['--cache', '--cache-strategy=content', '--cache-location', eslintCache(checkout), '.'],
    ],
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.'],
    ['packages/local-stack/bin/check-text.mjs'],
  ];
  const outcomes = await Promise.all(
    commands.map(([program = '', ...args]) =>
      tryCommand(process.execPath, [join(checkout, program), ...args], { cwd: checkout }),
    ),
  );
  const found = outcomes.filter(({ code }) => code !== 0).map(({ stdout, stderr }) => `${stdout}${stderr}`.trim());
  return found.length === 0 ? undefined : found.join('\n');
}

/**
 * The cache file of ESLint; older ones are removed. Rules that know types judge a file by what it imports as well, so a
 * cache is valid for one state of all emitted declarations only.
 */
export function eslintCache(checkout: string): string {
  const folder = join(checkout, 'node_modules/.cache/eslint');
  const name = `${typesFingerprint(checkout)}.json`;
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) if (old !== name) rmSync(join(folder, old), { recursive: true });
  return join(folder, name);
}
