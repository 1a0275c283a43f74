import { referenceTo } from '../records/file-reference';
import type { FileStore } from '../ports/files';

/** Files that live in this process only. */
export function memoryFiles(): FileStore {
  const kept = new Map<string, Uint8Array>();
  return {
    read: (reference) => {
      const bytes = kept.get(reference.id);
      return bytes === undefined
        ? Promise.reject(new Error(`There is no file ${reference.id}.`))
        : Promise.resolve(bytes);
    },
    store: (bytes, facts) => {
      const id = `file-${kept.size}`;
      kept.set(id, bytes);
      return Promise.resolve(referenceTo(id, facts, bytes.length));
    },
  };
}
