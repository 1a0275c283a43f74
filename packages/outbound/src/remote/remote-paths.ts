import { RemoteFailed } from './remote-failure';

/** @throws RemoteFailed for a path that would end a command of a protocol made of lines */
export function checkPath(path: string): string {
  if (path === '') throw new RemoteFailed('The path is empty.', 'server');
  if (/\p{Cc}/u.test(path)) throw new RemoteFailed('A path must not contain control characters.', 'server');
  return path;
}

/** A path below a folder. */
export function below(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** A folder and all above it, the highest first: `/a/b` is `/a`, `/a/b`. */
export function foldersOf(path: string): readonly string[] {
  const steps = path.split('/').filter((step) => step !== '');
  const root = path.startsWith('/') ? '/' : '';
  return steps.map((_, index) => `${root}${steps.slice(0, index + 1).join('/')}`);
}
