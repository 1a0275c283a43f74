import { join } from 'node:path';
import { tryCommand } from '../processes/run-command';

/** Programs that look at the whole source tree, as paths below `node_modules` and their arguments. */
const CHECKS = [
  ['eslint/bin/eslint.js', '.'],
  ['prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.'],
] as const;

/** Checks the whole source tree. Returns what is wrong with it, as text; undefined if all is well. */
export async function runLint(checkout: string): Promise<string | undefined> {
  const outcomes = await Promise.all(
    CHECKS.map(([program, ...args]) =>
      tryCommand(process.execPath, [join(checkout, 'node_modules', program), ...args], { cwd: checkout }),
    ),
  );
  const found = outcomes.filter(({ code }) => code !== 0).map(({ stdout, stderr }) => `${stdout}${stderr}`.trim());
  return found.length === 0 ? undefined : found.join('\n');
}
