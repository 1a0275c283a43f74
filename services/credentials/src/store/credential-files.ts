import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { withoutTrailingBreaks } from '@weft/service-kit/text';
import type { FileReading, ReadCredentialFile } from '../domain/credentials/file-references';

/** Maximum bytes of a file: enough for a certificate chain. */
export const MAX_FILE_BYTES = 65_536;

const MAX_NAME_LENGTH = 200;
/** Excludes names with a leading dot or hyphen: hidden files, `..`, and internal folders of Kubernetes. */
const NAME = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

const MISSING = new Set(['ENOENT', 'ENOTDIR']);
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

/** The first bytes of a file, up to one more than the maximum, because the reported size may be wrong or grow. */
const readBounded = async (file: FileHandle): Promise<Buffer> => {
  const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
};

const textOf = (bytes: Buffer): FileReading => {
  if (bytes.length > MAX_FILE_BYTES) return { problem: `must name a file of at most ${MAX_FILE_BYTES} bytes.` };
  try {
    const text = withoutTrailingBreaks(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return text === '' ? { problem: 'must name a file that is not empty.' } : { text };
  } catch {
    return { problem: 'must name a file of text in UTF-8.' };
  }
};

const readIn = async (folder: string, name: string): Promise<FileReading> => {
  const root = await realpath(folder);
  // Links within the folder are followed: Kubernetes uses them to replace the files of a mounted secret.
  const path = await realpath(join(root, name));
  if (!path.startsWith(`${root}${sep}`))
    return { problem: 'must name a file in the folder of files for credentials; it leads out of it.' };
  // Without O_NONBLOCK, opening a pipe would block.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return { problem: 'must name a regular file.' };
    return textOf(await readBounded(file));
  } finally {
    await file.close();
  }
};

/**
 * Reads the current files in a folder, so that replaced ones take effect with the next use. Trailing line ends are
 * removed.
 * @param folder empty: there is none, and every name is an error
 */
export const createReadCredentialFile = (folder: string): ReadCredentialFile =>
  async function readCredentialFile(name) {
    if (folder === '')
      return { problem: 'must not name a file: this instance has no files for credentials (CREDENTIAL_FILES_DIR).' };
    if (name.length > MAX_NAME_LENGTH || !NAME.test(name))
      return {
        problem:
          `must name a file by at most ${MAX_NAME_LENGTH} letters, digits, dots, hyphens and underscores, with / ` +
          'between folders, for example billing/api-key.',
      };
    try {
      return await readIn(folder, name);
    } catch (error) {
      const code = codeOf(error);
      return MISSING.has(code)
        ? { problem: 'must name a file that exists.' }
        : { problem: `must name a file that this service can read (${code}).` };
    }
  };
