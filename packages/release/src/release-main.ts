import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlaces, runAsCommand, runCommand, StackError } from '@weft/local-stack';
import { makeArchive } from './archive';
import { makeContexts } from './images';
import { releaseNotes } from './notes';
import { packNpmPackages } from './npm-packages';
import { readOptions, type ReleaseOptions } from './options';
import { packFolder, writeSums } from './pack';
import { describeServers } from './servers-sbom';
import { buildSource, exportSource, type Source } from './source';

/** `npm run release -- --out DIR`: builds a release of a commit. Nothing is published. */
runAsCommand(async ({ report }) => {
  const options = readOptions(process.argv.slice(2));
  if (existsSync(options.out) && readdirSync(options.out).length > 0)
    throw new StackError(`${options.out} is not empty. Name another folder with --out.`);
  mkdirSync(options.out, { recursive: true });
  const { checkout, cache } = findPlaces(process.env);
  const work = mkdtempSync(join(tmpdir(), 'weft-release-'));
  try {
    const source = await exportSource(checkout, options.ref, join(work, 'source'));
    report(`building Weft ${source.version} from ${source.commit}`);
    await buildSource(source, report);
    await makeParts(options, source, { checkout, cache, work, report });
    for (const line of await writeSums(options.out)) report(line);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return 0;
});

interface Context {
  readonly checkout: string;
  readonly cache: string;
  readonly work: string;
  readonly report: (line: string) => void;
}

async function makeParts(options: ReleaseOptions, source: Source, context: Context): Promise<void> {
  const { checkout, cache, work, report } = context;
  const { out, parts } = options;
  const templates = join(checkout, 'packages/release/files');
  const stripScript = join(checkout, 'deploy/docker/strip.sh');
  const serverCache = options.hasServers ? cache : undefined;
  if (parts.includes('archive')) {
    report('  archive');
    await makeArchive({ source, stripScript, templates, work, out, cache: serverCache, report });
  }
  if (parts.includes('images')) {
    report('  image contexts');
    await makeContexts({ source, stripScript, templates, work, out });
  }
  if (parts.includes('packages')) {
    report('  npm packages');
    await packNpmPackages(source, work, out);
  }
  if (parts.includes('chart')) {
    report('  chart');
    cpSync(join(source.folder, 'deploy/helm/weft'), join(work, 'chart/weft'), { recursive: true });
    await packFolder(join(work, 'chart'), 'weft', join(out, `weft-${source.version}.tgz`), source.time);
  }
  if (parts.includes('sbom')) {
    report('  SBOM');
    const folder = join(work, 'sbom');
    await runCommand(process.execPath, ['deploy/make-sbom.mjs', folder], { cwd: source.folder });
    for (const file of readdirSync(folder)) renameSync(join(folder, file), join(out, file));
    if (serverCache !== undefined) await describeServers(source, serverCache, out, report);
  }
  if (parts.includes('notes'))
    writeFileSync(
      join(out, 'RELEASE-NOTES.md'),
      releaseNotes(readFileSync(join(source.folder, 'CHANGELOG.md'), 'utf8'), source.version),
    );
}
