import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkout } from '../corpus/places';
import { chain, node, type WorkflowFile } from './workflows';

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
  /** Writes these files as JSON and returns their folder. */
  readonly files: (name: string, all: Readonly<Record<string, object>>) => string;
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
          NODE_COMPILE_CACHE: join(folder, 'compiled'),
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
  const files = (name: string, all: Readonly<Record<string, object>>): string => {
    const path = join(folder, name);
    for (const [file, value] of Object.entries(all)) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), JSON.stringify(value));
    }
    return path;
  };
  return { folder, program, weft, files, remove: () => rmSync(folder, { recursive: true, force: true }) };
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

/** The JSON on stdout. @throws Error with stderr if stdout is empty */
export const jsonOf = ({ out, err }: Outcome) => {
  if (out === '') throw new Error(err);
  return JSON.parse(out);
};

/** Actions and keys of an apply. */
export const actionsOf = (outcome: Outcome): readonly string[] =>
  jsonOf(outcome).changes.map(({ action, key }: { action: string; key: string }) => `${action} ${key}`);

/** A workflow that runs code. */
export const codeWorkflow = (name: string, code: string, settings: object = {}): WorkflowFile =>
  chain(name, [node('Start', 'manualTrigger', 1, 0), node('Code', 'code', 2, 200, { jsCode: code })], settings);

/** A workflow with a webhook. */
export const hookWorkflow = (name: string, path: string): WorkflowFile =>
  chain(name, [node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path }), node('Nothing', 'noOp', 1, 200)]);

/** A workflow with a credential as another instance exports it. */
export const callingWorkflow = (name: string, credential: string): WorkflowFile =>
  chain(name, [
    node('Start', 'manualTrigger', 1, 0),
    node(
      'Call',
      'httpRequest',
      4.2,
      200,
      { url: 'http://127.0.0.1:1', authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
      { credentials: { httpHeaderAuth: { id: 'ofAnotherInstance', name: credential } } },
    ),
  ]);
