import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildServers, StackError, type Report } from '@weft/local-stack';
import { packFolder } from './pack';
import { fillIn, SERVICES, type Source } from './source';
import { ARCHITECTURES, stripTo } from './strip';

/** Settings of an archive. */
export interface ArchivePlan {
  readonly source: Source;
  /** Path of `strip.sh`. */
  readonly stripScript: string;
  /** Folder with `start.mjs` and `README.md` of the archive. */
  readonly templates: string;
  /** Scratch folder. */
  readonly work: string;
  readonly out: string;
  /** Cache folder of built servers; undefined for an archive without servers. */
  readonly cache: string | undefined;
  readonly report: Report;
}

/** Packs everything that runs on one machine, for the platform of this machine, as `weft-VERSION-linux-ARCH.tar.gz`. */
export async function makeArchive(plan: ArchivePlan): Promise<void> {
  const { source, work, out, templates } = plan;
  const architecture = Object.values(ARCHITECTURES).find((name) => name === process.arch);
  if (process.platform !== 'linux' || architecture === undefined)
    throw new StackError(
      `An archive cannot be built on ${process.platform}-${process.arch}: only on Linux x64 or arm64.`,
    );
  const name = `weft-${source.version}-linux-${architecture}`;
  const folder = join(work, name);
  const workspaces = [...SERVICES.map((service) => `services/${service}`), 'packages/local-stack'];
  await stripTo(folder, source, plan.stripScript, workspaces, architecture);
  for (const file of ['package-lock.json', '.npmrc', 'e2e'])
    rmSync(join(folder, file), { recursive: true, force: true });
  for (const file of ['LICENSE', 'CHANGELOG.md', 'packages/cli/dist/weft.mjs'])
    if (existsSync(join(source.folder, file))) cpSync(join(source.folder, file), join(folder, basename(file)));
  for (const file of ['start.mjs', 'README.md']) {
    const text = readFileSync(join(templates, file), 'utf8');
    writeFileSync(join(folder, file), fillIn(text, source));
  }
  if (plan.cache !== undefined)
    for (const server of await buildServers(plan.cache, plan.report))
      cpSync(server, join(folder, 'servers', basename(server)), { recursive: true, verbatimSymlinks: true });
  await packFolder(work, name, join(out, `${name}.tar.gz`), source.time);
}
