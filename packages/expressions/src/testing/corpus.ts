import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The corpus next to the checkout. Its licences do not allow it to be part of the repository. */
const folder = join(__dirname, '..', '..', '..', '..', '..', '..', 'shared', 'corpus');

/** False where only the repository is checked out: tests of the corpus are skipped. */
export const hasCorpus = existsSync(folder);

/** The files in a folder of the corpus whose names end with `ending`, sorted by path. */
export function corpusFiles(under: string, ending: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(folder, under), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => ({ path: join(under, path), text: readFileSync(join(folder, under, path), 'utf8') }));
}
