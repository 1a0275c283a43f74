/** The last part of a path of a server; empty for a folder. */
export function nameIn(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** The folder that a path of a server is in; empty for the one that the login begins in. */
export function folderOf(path: string): string {
  const end = path.replace(/\/+$/, '').lastIndexOf('/');
  return end > 0 ? path.slice(0, end) : '';
}

/** A name of a file that stays in its folder: without separators, and no name of a folder. */
export function safeName(name: string): string {
  const safe = name.replaceAll(/[\p{Cc}/\\]/gu, '_').trim();
  return /^\.{0,2}$/.test(safe) ? 'file' : safe;
}
