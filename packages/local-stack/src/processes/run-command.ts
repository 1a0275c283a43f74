import { spawn } from 'node:child_process';

/** Options of a command. */
export interface CommandOptions {
  /** Its whole environment; this process's by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Its current folder. */
  readonly cwd?: string;
  /** Milliseconds after which it is killed; ten minutes by default. */
  readonly limitMs?: number;
  /** Text for its standard input. */
  readonly input?: string;
}

/** Result of a command. */
export interface CommandResult {
  /** Exit code; -1 if it could not be started or was killed. */
  readonly code: number;
  /** Standard output, its last 1 MB. */
  readonly stdout: string;
  /** Standard error, its last 1 MB. */
  readonly stderr: string;
}

const KEPT = 1_000_000;

/** Runs a command to its end and returns its output. Never throws: a missing program is code -1. */
export function tryCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((settle) => {
    const child = spawn(command, args, { env: options.env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    const timer = setTimeout(() => {
      stderr += `\n${command} was stopped: it took longer than ${(options.limitMs ?? 600_000) / 1000} s.`;
      child.kill('SIGKILL');
    }, options.limitMs ?? 600_000);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-KEPT)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT)));
    // a program that ends without reading its input is not our error
    child.stdin.on('error', () => undefined).end(options.input ?? '');
    child.on('error', (error) => {
      clearTimeout(timer);
      settle({ code: -1, stdout, stderr: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      settle({ code: code ?? -1, stdout, stderr });
    });
  });
}

/** Runs a command that must succeed. Returns its standard output; throws with its last words if it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(command, args, options);
  if (code === 0) return stdout;
  const lastWords = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n');
  throw new Error(`${command} ${args.slice(0, 2).join(' ')} failed (exit code ${code}): ${lastWords}`);
}
