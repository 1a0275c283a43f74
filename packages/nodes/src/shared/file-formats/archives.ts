import { unzipSync, zipSync } from 'fflate';
import { FormatError } from './format-error';
import { type ArchivedFile, MAX_UNPACKED, type UnzippedPart, type UnzipTask } from './tasks';

/** Maximum number of files in one archive. */
export const MAX_FILES = 1_000;
/** Bytes of the files of one response, unless a single file is larger. */
const PART_BYTES = 16 * 1024 * 1024;

const isWanted = (name: string): boolean => !name.endsWith('/') && !name.startsWith('__MACOSX/');

/** Counts the sizes declared in an archive. Unpacking never writes more than declared. */
const createCount = () => {
  let files = 0;
  let bytes = 0;
  return (size: number): void => {
    files += 1;
    bytes += size;
    if (files > MAX_FILES) throw new FormatError(`The archive contains more than ${MAX_FILES} files.`);
    if (bytes > MAX_UNPACKED)
      throw new FormatError(`The archive contains more than ${MAX_UNPACKED / 1024 / 1024} MB when it is unpacked.`);
  };
};

/** Checks the file list of an archive without unpacking it. @throws FormatError if it contains too much */
export const checkArchive = (bytes: Uint8Array): void => {
  const count = createCount();
  unzipSync(bytes, { filter: (file) => (count(file.originalSize), false) });
};

/** Selects the files of one part. Call it for all files of an archive in order. */
export const createPart = (from: number) => {
  const count = createCount();
  let at = 0;
  let taken = 0;
  let next: number | undefined;
  return {
    /** @throws FormatError if the archive contains too much */
    takes: (size: number, isWanted: boolean): boolean => {
      count(size);
      const index = at++;
      if (index < from || next !== undefined || !isWanted) return false;
      if (taken > 0 && taken + size > PART_BYTES) {
        next = index;
        return false;
      }
      taken += size;
      return true;
    },
    answer: (files: readonly ArchivedFile[]): UnzippedPart => ({ files, ...(next === undefined ? {} : { next }) }),
  };
};

/**
 * One part of the files of a ZIP archive, without directories and the extra files of macOS.
 * @throws FormatError if the archive contains too much
 */
export const unzip = ({ bytes, from }: UnzipTask): UnzippedPart => {
  const part = createPart(from);
  const files = unzipSync(bytes, { filter: ({ name, originalSize }) => part.takes(originalSize, isWanted(name)) });
  return part.answer(Object.entries(files).map(([name, content]) => ({ name, bytes: content })));
};

/** Creates a ZIP archive. Duplicate names get a number. */
export const zip = ({ files }: { readonly files: readonly ArchivedFile[] }): Uint8Array => {
  const named = new Map<string, Uint8Array>();
  for (const { name, bytes } of files) {
    let free = name;
    for (let number = 1; named.has(free); number += 1) free = name.replace(/(\.[^.]*)?$/, `_${number}$1`);
    named.set(free, bytes);
  }
  return zipSync(Object.fromEntries(named));
};
