import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '@weft/local-stack';
import type { Source } from './source';

/** Folders of the packages that others install, and what is in them beyond `files` of their package.json. */
const PACKAGES = [
  { folder: 'packages/cli', files: undefined },
  { folder: 'packages/client', files: undefined },
  { folder: 'packages/grpc', files: undefined },
  { folder: 'proto', files: ['dist/gen', 'dist/src', 'weft', 'google', 'grpc', '!**/*.map'] },
] as const;

/** Packs the packages that a release publishes, as npm does it. */
export async function packNpmPackages(source: Source, work: string, out: string): Promise<void> {
  for (const { folder, files } of PACKAGES.filter(({ folder: one }) => existsSync(join(source.folder, one)))) {
    const copy = join(work, `npm-${folder.replaceAll('/', '-')}`);
    cpSync(join(source.folder, folder), copy, { recursive: true, filter: (path) => !path.includes('/node_modules') });
    cpSync(join(source.folder, 'LICENSE'), join(copy, 'LICENSE'));
    const file = join(copy, 'package.json');
    const { private: _, devDependencies: __, scripts: ___, ...content } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(
      file,
      `${JSON.stringify({ license: 'Apache-2.0', ...content, ...(files && { files }) }, undefined, 2)}\n`,
    );
    await runCommand('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], { cwd: copy });
  }
}
