import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../corpus/places';

/** Output and exit code of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How to run a command. */
export interface RunOptions {
  readonly key?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Called with the process, for signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** The bundle of the command line, and a folder for files of a story. */
export interface CommandLine {
  readonly folder: string;
  readonly program: string;
  /** Runs `weft` with these words against the stack. */
  readonly weft: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  readonly remove: () => void;
}

/** Bundles the command line as it is released, for one story. */
export const commandLine = (baseUrl: string, apiKey: string): CommandLine => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-cli-'));
  const program = join(folder, 'weft.mjs');
  execFileSync(process.execPath, [join(checkout, 'packages/cli/bin/bundle.mjs'), program]);
  const weft = (words: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...words], {
        cwd: options.cwd ?? folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          WEFT_URL: baseUrl,
          WEFT_API_KEY: options.key ?? apiKey,
          ...options.env,
        },
      });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (part: Buffer) => out.push(part));
      child.stderr.on('data', (part: Buffer) => err.push(part));
      child.once('error', reject);
      child.once('close', (code) =>
        resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
      );
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
      options.onStart?.(child);
    });
  return { folder, program, weft, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** Runs a shell command on a pseudo-terminal and types lines when a prompt appears. */
export const onTerminal = (
  command: string,
  env: Readonly<Record<string, string>>,
  answers: readonly { readonly prompt: string; readonly line: string }[],
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', ...env },
    });
    let out = '';
    const left = [...answers];
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      const [next] = left;
      if (next !== undefined && out.includes(next.prompt)) {
        left.shift();
        child.stdin.write(`${next.line}\r`);
      }
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err: '' }));
  });

/** Version of a package of the repository. */
export const releaseOf = (name: string): string =>
  JSON.parse(readFileSync(join(checkout, 'packages', name, 'package.json'), 'utf8')).version;
