import { createHash } from 'node:crypto';
import type { ContentHashes, FileReference } from './store-file';

/**
 * One SHA-256 over the files of a request: their names in the item, their types, file names and contents, in the order
 * of the names. Undefined if there are none.
 */
export const contentDigest = (
  files: readonly (readonly [string, FileReference])[],
  hashes: ContentHashes,
): Buffer | undefined => {
  if (files.length === 0) return undefined;
  const facts = files.map(([name, { id, mimeType, fileName }]) => [
    name,
    mimeType,
    fileName ?? '',
    hashes.get(id) ?? '',
  ]);
  facts.sort(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
  return createHash('sha256').update(JSON.stringify(facts)).digest();
};
