import { join } from 'node:path';
import { tryCommand } from '../processes/run-command';

/** Checks the whole source tree with eslint. Gives back what it found fault with, as text; undefined if all is well. */
export async function runLint(checkout: string): Promise<string | undefined> {
  const eslint = join(checkout, 'node_modules/eslint/bin/eslint.js');
  const { code, stdout, stderr } = await tryCommand(process.execPath, [eslint, checkout], { cwd: checkout });
  return code === 0 ? undefined : `${stdout}${stderr}`.trim();
}
