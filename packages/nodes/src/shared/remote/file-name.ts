import { withoutTrailing } from '@weft/service-kit/text';

/** The last segment of a path on a server; empty for a folder. */
export function nameIn(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** The folder of a path on a server; empty for the folder that the login starts in. */
export function folderOf(path: string): string {
  const end = withoutTrailing(path, '/').lastIndexOf('/');
  return end > 0 ? path.slice(0, end) : '';
}

/** A file name that stays in its folder: without separators, and not `.` or `..`. */
export function safeName(name: string): string {
  const safe = name.replaceAll(/[\p{Cc}/\\]/gu, '_').trim();
  return /^\.{0,2}$/.test(safe) ? 'file' : safe;
}
