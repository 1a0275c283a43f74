import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Extensions of the files that the compiler writes for one source file. */
const OUTPUT = /\.(js|js\.map|d\.ts|d\.ts\.map)$/;

/** Files of the console's bundle, which have no single source. */
const BUNDLE = /^app[/\\]/;

/**
 * Removes compiled files whose sources were deleted, which the compiler leaves behind: a deleted test would
 * still run, a renamed module could still be imported.
 */
export function removeStaleOutputs(checkout: string): void {
  for (const { project, file } of outputsOf(checkout)) {
    const sources = ['.ts', '.tsx'].map((extension) => join(checkout, project, file.replace(OUTPUT, extension)));
    if (!sources.some(existsSync)) rmSync(join(checkout, project, 'dist', file));
  }
}

interface Output {
  /** Folder of the npm workspace, from the root of the checkout. */
  readonly project: string;
  /** Path below the workspace's `dist`, which is the path of its source below the workspace but for the ending. */
  readonly file: string;
}

/** All compiled files, always in the same order. */
function outputsOf(checkout: string): Output[] {
  const below = (folder: string): string[] => list(join(checkout, folder)).map((name) => join(folder, name));
  return ['proto', 'e2e', ...below('packages'), ...below('services')].flatMap((project) =>
    list(join(checkout, project, 'dist'), true)
      .filter((file) => OUTPUT.test(file) && !BUNDLE.test(file))
      .map((file) => ({ project, file })),
  );
}

function list(folder: string, recursive = false): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }).sort() : [];
}
