import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extractPackages } from '../debian/extract-packages';
import { findProgram } from '../processes/find-program';
import { runCommand, tryCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { certificateVariables } from './certificates';

/** Oldest release of Go that can build the programs, as [major, minor]. */
const OLDEST_GO: readonly [number, number] = [1, 25];

const LICENCE_FILE = /^(licen[cs]e|copying|notice|patents)/i;

/** The Go program on this machine's PATH, if it is new enough. */
export async function findGo(): Promise<string | undefined> {
  const program = findProgram('go', process.env['PATH']);
  if (program === undefined) return undefined;
  const { stdout } = await tryCommand(program, ['env', 'GOVERSION']);
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout) ?? [];
  const isNewEnough = Number(major) > OLDEST_GO[0] || (Number(major) === OLDEST_GO[0] && Number(minor) >= OLDEST_GO[1]);
  return isNewEnough ? program : undefined;
}

/**
 * Builds the program of a Go package from source into `folder`, and copies the licences of all modules that it contains
 * to `licences` below it. Uses the Go of this machine, else one unpacked from Debian packages for this one build.
 *
 * @param source package path with version: `example.org/module/cmd/name@v1.2.3`.
 */
export async function goInstall(cache: string, source: string, folder: string, report: Report): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const scratch = join(folder, 'scratch');
  const own = await findGo();
  const go = own === undefined ? await unpackGo(scratch, report) : { program: own, variables: {} };
  // without C the program needs nothing from the machine that runs it
  const settings = { GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -trimpath', GOTOOLCHAIN: 'local' };
  const env = { ...process.env, ...certificateVariables(cache, process.env), ...go.variables, ...settings };
  await runCommand(go.program, ['install', source], { env });
  const modules = (await runCommand(go.program, ['env', 'GOMODCACHE'], { env })).trim();
  const contents = await runCommand(go.program, ['version', '-m', folder], { env });
  copyLicences(modulesIn(contents), modules, join(folder, 'licences'));
  const ofGo = join((await runCommand(go.program, ['env', 'GOROOT'], { env })).trim(), 'LICENSE');
  if (existsSync(ofGo)) cpSync(ofGo, join(folder, 'licences/go/LICENSE'));
  await removeGo(scratch);
}

/** Folders in Go's module cache of the modules that `go version -m` lists. An exclamation mark stands for a capital. */
export function modulesIn(contents: string): string[] {
  const lines = [...contents.matchAll(/^\t(?:mod|dep|=>)\t(\S+)\t(\S+)/gm)];
  return lines.map(([, path = '', version = '']) =>
    `${path}@${version}`.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
  );
}

function copyLicences(modules: readonly string[], cache: string, folder: string): void {
  for (const module of modules.filter((name) => existsSync(join(cache, name))))
    for (const file of readdirSync(join(cache, module)).filter((name) => LICENCE_FILE.test(name)))
      cpSync(join(cache, module, file), join(folder, module, file), { recursive: true });
}

/** Go makes the files of its module cache read-only, which keeps an ordinary user from removing them. */
async function removeGo(scratch: string): Promise<void> {
  if (!existsSync(scratch)) return;
  await runCommand('chmod', ['--recursive', 'u+w', scratch]);
  rmSync(scratch, { recursive: true });
}

async function unpackGo(
  scratch: string,
  report: Report,
): Promise<{ program: string; variables: Record<string, string> }> {
  const wayOut = `Install Go ${OLDEST_GO.join('.')} or newer and start again.`;
  const tree = join(scratch, 'tree');
  mkdirSync(tree, { recursive: true });
  await extractPackages(
    tree,
    ['golang-go'],
    { purpose: 'Go', wayOut, announcement: 'unpacking Go from Debian packages (about 10 s)' },
    report,
  );
  const release = readdirSync(join(tree, 'usr/lib')).find((name) => /^go-\d/.test(name));
  if (release === undefined) throw new StackError(`Debian's Go was not found where it is expected. ${wayOut}`);
  const root = join(tree, 'usr/lib', release);
  return {
    program: join(root, 'bin/go'),
    variables: { GOROOT: root, GOPATH: join(scratch, 'path'), GOCACHE: join(scratch, 'build') },
  };
}
