import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '../cache/built-once';
import { extractPackages } from '../debian/extract-packages';
import { findProgram } from '../processes/find-program';
import { runCommand, tryCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { Report } from '../errors';

/** Oldest release of Go that builds what we need, as [major, minor]. */
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
 * Builds the program of a Go package from source into `folder`. Uses the Go of this machine, else one from Debian
 * packages kept in the cache.
 *
 * @param source package path with version: `example.org/module/cmd/name@v1.2.3`.
 */
export async function goInstall(cache: string, source: string, folder: string, report: Report): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const own = await findGo();
  const env = own === undefined ? await unpackedGo(cache, report) : { program: own, env: {} };
  // without C there is nothing the program needs from the machine that runs it
  const settings = { GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -trimpath', GOTOOLCHAIN: 'local' };
  await runCommand(env.program, ['install', source], { env: { ...process.env, ...env.env, ...settings } });
}

async function unpackedGo(cache: string, report: Report): Promise<{ program: string; env: Record<string, string> }> {
  const wayOut = `Install Go ${OLDEST_GO.join('.')} or newer and start again.`;
  const tree = await builtOnce(
    cache,
    {
      name: 'go',
      inputs: { packages: 'golang-go' },
      build: async (folder) => {
        report('unpacking Go from Debian packages (about 10 s)');
        await extractPackages(folder, ['golang-go'], { purpose: 'Go', wayOut }, report);
      },
    },
    report,
  );
  const release = readdirSync(join(tree, 'usr/lib')).find((name) => /^go-\d/.test(name));
  if (release === undefined) throw new StackError(`Debian's Go was not found where it is expected. ${wayOut}`);
  const root = join(tree, 'usr/lib', release);
  return { program: join(root, 'bin/go'), env: { GOROOT: root, GOPATH: join(cache, 'go-path'), GOCACHE: join(cache, 'go-build') } };
}
