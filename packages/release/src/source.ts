import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, StackError, type Report } from '@weft/local-stack';

/** The checkout from which a release is built, compiled. */
export interface Source {
  /** Absolute path. */
  readonly folder: string;
  readonly version: string;
  readonly commit: string;
  /** Time of the commit in seconds since 1970, which all files of the release have. */
  readonly time: number;
}

const HOUR = 3_600_000;

/** The five services. */
export const SERVICES = ['credentials', 'executions', 'gateway', 'runner', 'workflows'] as const;

/** Processes with an image. The operator has one, and is not part of the archive: it needs a cluster. */
export const IMAGES = [...SERVICES, 'operator'] as const;

/** Copies the files of a commit into a new folder, so that nothing else of the checkout can be in a release. */
export async function exportSource(checkout: string, ref: string, folder: string): Promise<Source> {
  const git = async (...args: string[]): Promise<string> => (await runCommand('git', ['-C', checkout, ...args])).trim();
  const commit = await git('rev-parse', '--verify', `${ref}^{commit}`).catch(() => {
    throw new StackError(`${ref} is not a commit of ${checkout}.`);
  });
  mkdirSync(folder, { recursive: true });
  const copy = 'git -C "$1" archive --format=tar "$2" | tar --extract --directory "$3"';
  await runCommand('sh', ['-c', copy, 'sh', checkout, commit, folder]);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, version, commit, time: Number(await git('log', '-1', '--format=%ct', commit)) };
}

/** Writes commit and version into a file of `packages/release/files`, in place of `@commit@` and `@version@`. */
export const fillIn = (text: string, { commit, version }: Pick<Source, 'commit' | 'version'>): string =>
  text.replaceAll('@commit@', commit).replaceAll('@version@', version);

/** Installs the dependencies, compiles what a release contains, and bundles console, command line and client. */
export async function buildSource({ folder }: Source, report: Report): Promise<void> {
  const run = (command: string, ...args: string[]): Promise<string> =>
    runCommand(command, args, { cwd: folder, limitMs: HOUR });
  report('  installing dependencies');
  await run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  report('  compiling');
  const projects = [
    ...IMAGES.map((service) => `services/${service}`),
    'packages/local-stack',
    'packages/client',
    'packages/grpc',
  ];
  const existing = projects.filter((project) => existsSync(join(folder, project)));
  await run(process.execPath, 'node_modules/.bin/tsc', '-b', ...existing);
  const bundles = [
    ['packages/console/build.mjs'],
    ['packages/cli/bin/bundle.mjs'],
    ['node_modules/.bin/tsc', '-p', 'packages/client/tsconfig.esm.json'],
    ['packages/client/bin/mark-esm.mjs'],
    ['node_modules/.bin/tsc', '-p', 'packages/grpc/tsconfig.esm.json'],
    ['packages/client/bin/mark-esm.mjs', 'packages/grpc'],
  ];
  for (const [script = '', ...args] of bundles)
    if (existsSync(join(folder, args.at(-1) ?? script))) await run(process.execPath, script, ...args);
}
