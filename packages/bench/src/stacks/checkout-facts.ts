import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';

const read = (command: string, args: readonly string[]): string | undefined => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
};

/** Commit of a checkout, with `+` behind it if files differ from it; undefined where git knows of none. */
export const commitOf = (checkout: string): string | undefined => {
  const commit = read('git', ['-C', checkout, 'rev-parse', '--short=10', 'HEAD']);
  const changes = read('git', ['-C', checkout, 'status', '--porcelain', '--untracked-files=no']);
  return commit === undefined ? undefined : `${commit}${changes === '' ? '' : '+'}`;
};

/** The Node that a running process of the stack runs on. */
export const nodeOf = (pid: number): { readonly program: string; readonly version: string } => {
  const program = readlinkSync(`/proc/${pid}/exe`);
  return { program, version: read(program, ['--version']) ?? 'unknown' };
};
