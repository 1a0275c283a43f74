import type { FileArea } from '../ports/file-area';

/** A file area in this process only. @param initial content by path */
export function memoryFileArea(initial: Readonly<Record<string, string>> = {}): FileArea {
  const files = new Map<string, Uint8Array>(
    Object.entries(initial).map(([path, content]) => [path, Buffer.from(content)]),
  );
  const done = new Map<string, number>();
  return {
    list: () =>
      Promise.resolve(
        [...files].map(([path, bytes]) => ({ path, size: bytes.length })).sort((a, b) => (a.path < b.path ? -1 : 1)),
      ),
    read: (path) => Promise.resolve(files.get(path)),
    write: ({ path, bytes, append, operation, seq }) => {
      if ((done.get(operation) ?? -1) >= seq) return Promise.resolve();
      done.set(operation, seq);
      const before = append ? (files.get(path) ?? new Uint8Array()) : new Uint8Array();
      files.set(path, Buffer.concat([before, bytes]));
      return Promise.resolve();
    },
  };
}
