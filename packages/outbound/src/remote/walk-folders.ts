import type { RemoteEntry } from './file-session';
import { RemoteFailed } from './remote-failure';
import { below } from './remote-paths';

/** An entry with its path. */
export interface FoundEntry {
  readonly path: string;
  readonly entry: RemoteEntry;
}

/**
 * All entries in a folder and in the folders below it, those of a folder before what they hold. Links are not followed.
 * @throws RemoteFailed beyond `maxEntries`
 */
export async function walkFolders(
  list: (path: string) => Promise<readonly RemoteEntry[]>,
  folder: string,
  maxEntries: number,
): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift())
    for (const entry of await list(next)) {
      // a hostile server may name what is not in the folder
      if (entry.name === '' || entry.name.includes('/'))
        throw new RemoteFailed('The server names a file with "/".', 'server');
      const path = below(next, entry.name);
      found.push({ path, entry });
      if (found.length > maxEntries)
        throw new RemoteFailed(`The folder has more than ${maxEntries} entries with those below it.`, 'limit');
      if (entry.type === 'd') folders.push(path);
    }
  return found;
}
