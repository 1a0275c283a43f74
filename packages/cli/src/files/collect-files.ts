import { duplicateKeys, readDocuments, textOfError, type FileError, type WorkflowDocument } from '@weft/apply';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { CommandError, EXIT, messageOf } from '../session/exit-code';

/** A file of workflows. */
export interface FoundFile {
  /** Path as the caller would write it. */
  readonly file: string;
  /** Path below the folder that was given. */
  readonly path: string;
}

const MAX_FILES = 10_000;
const MAX_BYTES = 10_000_000;
const MAX_DEPTH = 50;
const MAX_SHOWN = 50;
const ENDING = /\.(?:json|ya?ml)$/i;

const refuse = (message: string): never => {
  throw new CommandError(message, EXIT.usage);
};

const slashes = (path: string): string => path.replaceAll('\\', '/');

/** @param above real paths of the folders above. */
const walk = (root: string, folder: string, above: readonly string[], found: FoundFile[]): void => {
  const real = realpathSync(folder);
  if (above.includes(real) || above.length > MAX_DEPTH) refuse(`${folder} is a link to a folder above it.`);
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const file = join(folder, entry.name);
    const isFolder = entry.isSymbolicLink() ? statSync(file).isDirectory() : entry.isDirectory();
    if (isFolder) walk(root, file, [...above, real], found);
    else if (ENDING.test(entry.name)) found.push({ file: slashes(file), path: slashes(relative(root, file)) });
    if (found.length > MAX_FILES) refuse(`${root} has more than ${MAX_FILES} files.`);
  }
};

/** The files of these files and folders, in the order of their names. @throws CommandError for what cannot be read */
export const findFiles = (paths: readonly string[]): readonly FoundFile[] => {
  const found: FoundFile[] = [];
  for (const path of paths)
    try {
      if (statSync(path).isDirectory()) walk(path, path, [], found);
      else found.push({ file: slashes(path), path: basename(path) });
    } catch (error) {
      if (error instanceof CommandError) throw error;
      refuse(`${path} cannot be read: ${messageOf(error)}`);
    }
  return found;
};

/** As `findFiles`. @throws CommandError also if no file is found */
export const findSomeFiles = (paths: readonly string[]): readonly FoundFile[] => {
  const files = findFiles(paths);
  return files.length > 0 ? files : refuse(`${paths.join(', ')}: there is no .json, .yaml or .yml file.`);
};

/** @throws CommandError if the file has more than `maxBytes`, or cannot be read */
export const readFile = (file: string, maxBytes = MAX_BYTES): string => {
  try {
    if (statSync(file).size > maxBytes) refuse(`${file} has more than ${Math.floor(maxBytes / 1e6)} MB.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return refuse(`${file} cannot be read: ${messageOf(error)}`);
  }
};

/** A `CommandError` with a line for each error of a file. @param effect of the command until now */
export const refuseFiles = (errors: readonly FileError[], effect = 'nothing was changed.'): CommandError => {
  const shown = errors.slice(0, MAX_SHOWN).map(textOfError);
  const more = errors.length > shown.length ? [`and ${errors.length - shown.length} more`] : [];
  return new CommandError(`${effect}\n${[...shown, ...more].join('\n')}`, EXIT.usage);
};

/** Content of files and folders. */
export interface CollectedFiles {
  readonly documents: readonly WorkflowDocument[];
  /** Files of apps, which are not checked yet. */
  readonly apps: readonly FileText[];
}

/** A file with its text. */
export interface FileText {
  readonly file: string;
  readonly text: string;
}

/** Reads the workflows and apps of files and folders. @throws CommandError with every error of the files */
export const collectFiles = (paths: readonly string[]): CollectedFiles => {
  const read = findSomeFiles(paths).map(({ file, path }) => {
    const text = readFile(file);
    const found = readDocuments(file, path, text);
    return { ...found, apps: found.isApp ? [{ file, text }] : [] };
  });
  const documents = read.flatMap((one) => one.documents);
  const errors = [...read.flatMap((one) => one.errors), ...duplicateKeys(documents)];
  if (errors.length > 0) throw refuseFiles(errors);
  return { documents, apps: read.flatMap(({ apps }) => apps) };
};
