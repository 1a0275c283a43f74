import type { SentFile } from './read-multipart';
import type { FileReference } from './store-file';

/** Files by the names under which an item has them. */
export type ItemFiles = Readonly<Record<string, FileReference>>;

/**
 * The names of files in an item: that of the part, numbered from 0 where several parts share it; or, if the node names
 * one, that name numbered over all files.
 * @param prefix the node's own name; empty: none.
 */
export const nameFiles = (files: readonly SentFile[], prefix: string): ItemFiles => {
  const byField = new Map<string, FileReference[]>();
  for (const { field, reference } of files) byField.set(field, [...(byField.get(field) ?? []), reference]);
  const named: [string, FileReference][] = [];
  for (const [field, references] of byField) {
    const base = field.endsWith('[]') ? field.slice(0, -2) : field;
    references.forEach((reference, index) => {
      const own = references.length === 1 ? base : `${base}${index}`;
      named.push([prefix === '' ? own : `${prefix}${named.length}`, reference]);
    });
  }
  return Object.fromEntries(named);
};
