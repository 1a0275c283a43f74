import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packFolder } from './pack';
import { fillIn, IMAGES, type Source } from './source';
import { ARCHITECTURES, movePlatformPackages, stripTo } from './strip';

/** Settings of image contexts. */
export interface ImagesPlan {
  readonly source: Source;
  /** Path of `strip.sh`. */
  readonly stripScript: string;
  /** Folder with `Dockerfile` and `cli.Dockerfile`. */
  readonly templates: string;
  /** Scratch folder. */
  readonly work: string;
  readonly out: string;
}

/**
 * Packs a build context for the image of each service, of the operator and of the command line, as
 * `weft-NAME-VERSION.context.tar.gz`.
 * A context has the compiled code in `weft`, and in `amd64` and `arm64` what differs: nothing runs in a build, so one
 * machine makes both images.
 */
export async function makeContexts(plan: ImagesPlan): Promise<void> {
  const { source, work, out } = plan;
  for (const service of IMAGES) await makeServiceContext(plan, service);
  const cli = join(source.folder, 'packages/cli/dist/weft.mjs');
  if (!existsSync(cli)) return;
  const name = `weft-cli-${source.version}`;
  mkdirSync(join(work, name));
  cpSync(cli, join(work, name, 'weft.mjs'));
  writeDockerfile(plan, 'cli.Dockerfile', join(work, name));
  await packFolder(work, name, join(out, `${name}.context.tar.gz`), source.time);
}

async function makeServiceContext(plan: ImagesPlan, service: string): Promise<void> {
  const { source, stripScript, work, out } = plan;
  const name = `weft-${service}-${source.version}`;
  const context = join(work, name);
  for (const [image, architecture] of Object.entries(ARCHITECTURES)) {
    const folder = join(work, `${name}-${image}`);
    await stripTo(folder, source, stripScript, [`services/${service}`], architecture);
    movePlatformPackages(folder, join(context, image));
    if (image === 'amd64') cpSync(folder, join(context, 'weft'), { recursive: true, verbatimSymlinks: true });
    rmSync(folder, { recursive: true });
  }
  for (const file of ['package-lock.json', '.npmrc', 'e2e'])
    rmSync(join(context, 'weft', file), { recursive: true, force: true });
  symlinkSync(`services/${service}`, join(context, 'weft/service'));
  writeDockerfile(plan, 'Dockerfile', context);
  await packFolder(work, name, join(out, `${name}.context.tar.gz`), source.time);
  rmSync(context, { recursive: true });
}

function writeDockerfile({ templates, source }: ImagesPlan, template: string, context: string): void {
  const text = readFileSync(join(templates, template), 'utf8');
  writeFileSync(join(context, 'Dockerfile'), fillIn(text, source));
}
