import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extractPackages } from '../debian/extract-packages';
import { findProgram } from '../processes/find-program';
import { runCommand, tryCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { certificateVariables } from './certificates';

/** Oldest release of Go that can build the programs, as [major, minor]. */
const OLDEST_GO: readonly [number, number] = [1, 25];

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
 * Builds the program of a Go package from source into `folder`. Uses the Go of this machine, else one unpacked from
 * Debian packages for this one build.
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
  await runCommand(go.program, ['install', source], {
    env: { ...process.env, ...certificateVariables(cache, process.env), ...go.variables, ...settings },
  });
  rmSync(scratch, { recursive: true, force: true });
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
