import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute path of a program on the given PATH; undefined if it does not exist or may not be run. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
