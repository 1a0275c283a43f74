import { builtOnce, findPlaces, runCommand, StackError, type Recipe, type Report } from '@weft/local-stack';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of deploy/releases.json. */
export interface ReleaseEntry {
  readonly version: string;
  readonly tag: string;
  readonly commit: string;
}

const BUILD_LIMIT_MS = 60 * 60_000;

/**
 * The release to upgrade from: that of the given version, or the last one that is not the current commit.
 * @param releases in the order of their versions
 */
export const chooseRelease = (
  releases: readonly ReleaseEntry[],
  head: string,
  version: string | undefined,
): ReleaseEntry => {
  const found =
    version === undefined
      ? releases.findLast(({ commit }) => commit !== head)
      : releases.find((release) => release.version === version);
  if (found !== undefined) return found;
  const known = releases.map((release) => release.version).join(', ');
  throw new StackError(
    version === undefined
      ? 'deploy/releases.json names no release before this commit.'
      : `deploy/releases.json names no release ${version}; it names ${known}.`,
  );
};

/** Files of this checkout that determine the archive of a commit. */
const SCRIPTS = [
  ...['archive', 'pack', 'source', 'strip'].map((name) => `packages/release/src/${name}.ts`),
  'packages/release/files/start.mjs',
  'packages/release/files/README.md',
  'deploy/docker/strip.sh',
];

const hashOfScripts = (checkout: string): string => {
  const hash = createHash('sha256');
  for (const file of SCRIPTS) hash.update(readFileSync(join(checkout, file)));
  return hash.digest('hex');
};

/** Recipe of the unpacked archive of a release, built by this checkout's release script. */
const archiveRecipe = (checkout: string, { version, tag, commit }: ReleaseEntry, report: Report): Recipe => ({
  name: `archive-${version}`,
  inputs: { commit, scripts: hashOfScripts(checkout) },
  build: async (folder) => {
    await runCommand('git', ['-C', checkout, 'cat-file', '-e', `${commit}^{commit}`]).catch(() => {
      throw new StackError(`This clone lacks commit ${commit} of ${version}. Fetch it: git fetch origin tag ${tag}.`);
    });
    report(`building the archive of ${version} from ${commit.slice(0, 8)} (some minutes)`);
    const out = join(folder, 'out');
    mkdirSync(out);
    const args = ['--out', out, '--ref', commit, '--only', 'archive', '--without-servers'];
    await runCommand(process.execPath, [join(checkout, 'packages/release/bin/release.mjs'), ...args], {
      cwd: checkout,
      limitMs: BUILD_LIMIT_MS,
    });
    const archive = readdirSync(out).find((name) => name.endsWith('.tar.gz')) ?? '';
    const unpack = ['--extract', '--strip-components=1', '--file', join(out, archive), '--directory', folder];
    await runCommand('tar', unpack);
    rmSync(out, { recursive: true });
  },
});

/** A release to upgrade from. */
export interface PreviousRelease {
  readonly version: string;
  /** Unpacked archive. */
  readonly folder: string;
}

/** Builds and unpacks the archive of the release to upgrade from, unless the cache has it. */
export const findPreviousArchive = async (version: string | undefined, report: Report): Promise<PreviousRelease> => {
  const { cache, checkout } = findPlaces(process.env);
  const { releases }: { readonly releases: readonly ReleaseEntry[] } = JSON.parse(
    readFileSync(join(checkout, 'deploy/releases.json'), 'utf8'),
  );
  const head = (await runCommand('git', ['-C', checkout, 'rev-parse', 'HEAD'])).trim();
  const release = chooseRelease(releases, head, version);
  return { version: release.version, folder: await builtOnce(cache, archiveRecipe(checkout, release, report), report) };
};
