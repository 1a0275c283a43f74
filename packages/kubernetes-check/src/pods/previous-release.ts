import { runCommand, StackError, tryCommand, type Recipe, type Report } from '@weft/local-stack';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A released version. Clones often lack tags, so its commit is recorded. */
export interface Release {
  readonly version: string;
  readonly tag: string;
  readonly commit: string;
}

const BUILD_LIMIT_MS = 30 * 60_000;

/** @param releases in the order of their versions */
export const previousOf = (releases: readonly Release[], version: string): Release => {
  const found = releases.filter((release) => release.version !== version).at(-1);
  if (found === undefined)
    throw new StackError(
      `Version ${version} has no previous version: deploy/releases.json names none. --previous works from 0.2.0 on.`,
    );
  return found;
};

/** Finds the previous release of a checkout's version. @throws StackError if no earlier release is recorded */
export const findPreviousRelease = (checkout: string): Release => {
  const { releases }: { readonly releases: readonly Release[] } = JSON.parse(
    readFileSync(join(checkout, 'deploy/releases.json'), 'utf8'),
  );
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return previousOf(releases, version);
};

/** Recipe of a built checkout of a release. */
export const releaseRecipe = (checkout: string, { version, tag, commit }: Release, report: Report): Recipe => ({
  name: `release-${version}`,
  inputs: { commit },
  build: async (folder) => {
    const known = await tryCommand('git', ['-C', checkout, 'cat-file', '-e', `${commit}^{commit}`]);
    if (known.code !== 0)
      throw new StackError(`This clone lacks commit ${commit} of ${version}. Fetch it: git fetch origin tag ${tag}.`);
    report(`building version ${version} (several minutes)`);
    const archive = join(folder, 'source.tar');
    await runCommand('git', ['-C', checkout, 'archive', '-o', archive, commit]);
    await runCommand('tar', ['-xf', archive, '-C', folder]);
    rmSync(archive);
    const inFolder = { cwd: folder, env: process.env, limitMs: BUILD_LIMIT_MS };
    await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], inFolder);
    await runCommand(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], inFolder);
  },
});
