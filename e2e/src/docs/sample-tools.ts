import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const answers = (program: string, ...parameters: readonly string[]): boolean =>
  spawnSync(program, parameters, { stdio: 'ignore' }).status === 0;

const hasProtoc = (): boolean => answers('protoc', '--version');

/** Samples download packages of their language; a machine without the language skips them. */
export const HAS_PYTHON = answers('python3', '-m', 'venv', '--help');
export const HAS_GO = answers('go', 'version') && (hasProtoc() || HAS_PYTHON);

/** Reason in the name of a test that is skipped; empty if it is not. */
export const skipReason = (isThere: boolean, what: string): string => (isThere ? '' : ` (skipped: no ${what} here)`);

/**
 * A PATH with protoc. Where it is missing, it is the compiler of Python's package, which is the same program.
 * @param folder to install it into
 */
export const pathWithProtoc = (folder: string): string => {
  const path = process.env['PATH'] ?? '';
  if (hasProtoc()) return path;
  mkdirSync(folder);
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')]);
  execFileSync(join(folder, 'venv/bin/pip'), ['install', '-q', 'grpcio-tools==1.76.0']);
  writeFileSync(join(folder, 'protoc'), `#!/bin/sh\nexec "${folder}/venv/bin/python" -m grpc_tools.protoc "$@"\n`);
  chmodSync(join(folder, 'protoc'), 0o755);
  return `${folder}:${path}`;
};

/** The first code block of a language in a page. @throws Error if the page has no such block */
export const codeBlock = (page: string, language: string): string => {
  const [, text] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no code in ${language}.`);
  return text;
};

/** Runs a script of a page in a folder. @throws Error with everything it printed and the command that failed */
export const runScript = (script: string, cwd: string, env: NodeJS.ProcessEnv): string => {
  const { status, stdout, stderr } = spawnSync('sh', ['-euxc', script], { cwd, encoding: 'utf8', env });
  if (status === 0) return stdout;
  throw new Error(
    'The commands of the page failed; they need the network to install packages. The last command with a + is the ' +
      `one that failed:\n${stdout}\n${stderr}`,
  );
};
