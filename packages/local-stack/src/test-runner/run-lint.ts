import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runCommand, tryCommand } from '../processes/run-command';
import { openCheckedFiles } from './checked-files';
import { visibleDeclarations } from './visible-declarations';

/**
 * Checks the whole source tree with ESLint and Prettier, and its words and the width of its lines. ESLint and Prettier
 * get only the files that they have not checked before, in any clone of this machine. The tree must be compiled.
 * @param cache folder of the machine with the results of earlier checks
 * @returns the errors as text; undefined if there are none
 */
export async function runLint(checkout: string, cache: string): Promise<string | undefined> {
  const listed = await runCommand('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: checkout });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(checkout, file)));
  const errors = await Promise.all([
    runEslint(checkout, cache, files),
    runPrettier(checkout, cache, files),
    runNode(checkout, ['packages/local-stack/bin/check-text.mjs']).then(({ code, output }) =>
      code === 0 ? '' : output,
    ),
  ]);
  const found = errors.filter((text) => text !== '');
  return found.length === 0 ? undefined : found.join('\n');
}

/** Files that decide the result for every source file, like the compiler's settings and ambient declarations. */
const ESLINT_SETTINGS: readonly string[] = ['eslint.config.mjs', 'linear-regexp.mjs', 'package-lock.json'];

/** Rules that know types hold the types of all projects, more than the 4 GB that V8 allows by default. */
const HEAP = '--max-old-space-size=8192';

/** The fields that are read of the result of ESLint for one file. */
interface EslintResult {
  readonly filePath: string;
  readonly messages: readonly { readonly line?: number; readonly message: string; readonly ruleId: string | null }[];
}

/** Rules that know types judge a file by the modules that it imports as well, so their declarations count. */
async function runEslint(checkout: string, cache: string, files: readonly string[]): Promise<string> {
  const settings = files.filter(
    (file) => ESLINT_SETTINGS.includes(file) || /tsconfig[^/]*\.json$/.test(file) || file.endsWith('.d.ts'),
  );
  const rules = fingerprintOf(checkout, settings);
  const declarations = visibleDeclarations(checkout);
  const checked = openCheckedFiles(join(cache, 'lint/eslint'), checkout, (file) => `${rules}${declarations(file)}`);
  const pending = checked.pending(files.filter((file) => /\.tsx?$/.test(file)));
  if (pending.length === 0) return '';
  const folder = mkdtempSync(join(tmpdir(), 'weft-eslint-'));
  try {
    const report = join(folder, 'report.json');
    const format = ['--no-warn-ignored', '--format', 'json', '--output-file', report];
    const { output } = await runNode(checkout, ['node_modules/eslint/bin/eslint.js', ...format, ...pending], [HEAP]);
    if (!existsSync(report)) return output;
    const results: readonly EslintResult[] = JSON.parse(readFileSync(report, 'utf8'));
    const pathOf = ({ filePath }: EslintResult): string => relative(checkout, filePath);
    const faulty = results.filter(({ messages }) => messages.length > 0);
    const names = new Set(faulty.map(pathOf));
    checked.record(pending.filter((file) => !names.has(file)));
    return faulty
      .flatMap((file) =>
        file.messages.map(({ line = 0, message, ruleId }) => `${pathOf(file)}:${line} ${message} ${ruleId ?? ''}`),
      )
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runPrettier(checkout: string, cache: string, files: readonly string[]): Promise<string> {
  const program = 'node_modules/prettier/package.json';
  const rules = fingerprintOf(checkout, [program, '.prettierrc.json', '.prettierignore']);
  const checked = openCheckedFiles(join(cache, 'lint/prettier'), checkout, () => rules);
  const pending = checked.pending(files);
  if (pending.length === 0) return '';
  const command = ['node_modules/prettier/bin/prettier.cjs', '--list-different', '--ignore-unknown'];
  const { code, stdout, output } = await runNode(checkout, [...command, ...pending]);
  if (code > 1 || code < 0) return output;
  const faulty = new Set(stdout.split('\n'));
  checked.record(pending.filter((file) => !faulty.has(file)));
  return code === 0 ? '' : `Not formatted; run npm run format:\n${stdout.trim()}`;
}

async function runNode(
  checkout: string,
  [program = '', ...args]: readonly string[],
  nodeOptions: readonly string[] = [],
) {
  const command = [...nodeOptions, join(checkout, program), ...args];
  const { code, stdout, stderr } = await tryCommand(process.execPath, command, { cwd: checkout });
  return { code, stdout, output: `${stdout}${stderr}`.trim() };
}

function fingerprintOf(checkout: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(checkout, file)));
  return hash.digest('base64url');
}
