import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '@weft/local-stack';
import type { Source } from './source';

/** Architectures of images, as Docker calls them, and as Node does. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const;

/** Architecture of Node, such as `x64`. */
export type NodeArchitecture = (typeof ARCHITECTURES)[keyof typeof ARCHITECTURES];

const COPIED = ['package.json', 'package-lock.json', '.npmrc', 'proto', 'packages', 'services', 'e2e/package.json'];

/**
 * Copies a compiled checkout and reduces it to the files that some workspaces need to run on Linux.
 * @param script path of `strip.sh`
 * @param workspaces paths, such as `services/gateway`
 */
export async function stripTo(
  folder: string,
  source: Source,
  script: string,
  workspaces: readonly string[],
  architecture: NodeArchitecture,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED.filter((one) => existsSync(join(source.folder, one)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(source.folder, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
  await runCommand('sh', [script, ...workspaces], {
    cwd: folder,
    env: { ...process.env, npm_config_cpu: architecture, npm_config_os: 'linux', npm_config_libc: 'glibc' },
  });
}

/** Packages of a lock file that are installed on one architecture only, as paths. */
export function platformPackages(lock: { readonly packages: Readonly<Record<string, object>> }): readonly string[] {
  return Object.entries(lock.packages).flatMap(([path, entry]) => ('cpu' in entry ? [path] : []));
}

/** Moves the packages of one architecture from a stripped folder to another folder. */
export function movePlatformPackages(folder: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const lock: { readonly packages: Record<string, object> } = JSON.parse(
    readFileSync(join(folder, 'package-lock.json'), 'utf8'),
  );
  for (const path of platformPackages(lock).filter((one) => existsSync(join(folder, one)))) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    renameSync(join(folder, path), join(target, path));
  }
}
