import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Digests of a few states of the whole tree. */
const MAX_KEPT = 20_000;

/** Files in which a tool found no errors, by a hash of its inputs. All clones on the machine share them. */
export interface CheckedFiles {
  /** The files that the tool has not checked as they are now. */
  readonly pending: (files: readonly string[]) => string[];
  /** Records files, as they are now, as free of errors. */
  readonly record: (files: readonly string[]) => void;
}

/**
 * Opens the record of one tool.
 * @param path of the file that holds it
 * @param root folder from which files are named
 * @param fingerprintOf digest of everything but the file itself that the tool's judgement of it depends on
 */
export function openCheckedFiles(path: string, root: string, fingerprintOf: (file: string) => string): CheckedFiles {
  const read = (): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []);
  const digestOf = (file: string): string =>
    createHash('sha256')
      .update(`${fingerprintOf(file)}\n${file}\n`)
      .update(readFileSync(join(root, file)))
      .digest('base64url');
  return {
    pending: (files) => {
      const checked = new Set(read());
      return files.filter((file) => !checked.has(digestOf(file)));
    },
    record: (files) => {
      if (files.length === 0) return;
      const digests = [...new Set([...read(), ...files.map(digestOf)])].slice(-MAX_KEPT);
      mkdirSync(dirname(path), { recursive: true });
      // another clone may be reading it
      const draft = `${path}-${process.pid}`;
      writeFileSync(draft, `${digests.join('\n')}\n`);
      renameSync(draft, path);
    },
  };
}
