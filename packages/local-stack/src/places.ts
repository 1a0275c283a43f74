import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Variables as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The three folders everything lives in; all absolute. */
export interface Places {
  /** Root of the source tree: the folder that holds `services/`. */
  readonly checkout: string;
  /** Built or downloaded files that can be made again: `WEFT_CACHE`, else `weft` in the user's cache folder. */
  readonly cache: string;
  /** Data of one stack (databases, secrets and logs): `WEFT_DATA`, else `.weft` in the checkout. */
  readonly data: string;
}

const CHECKOUT = resolve(__dirname, '../../../..');

/** Servers that a release archive includes, under the names they have in the cache; a checkout has no such folder. */
export const INCLUDED_SERVERS = join(CHECKOUT, 'servers');

/** Reads the three folders from the environment; relative values count from the current folder. */
export function findPlaces(environment: Environment): Places {
  const cacheHome = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return {
    checkout: CHECKOUT,
    cache: resolve(environment['WEFT_CACHE'] || join(cacheHome, 'weft')),
    data: resolve(environment['WEFT_DATA'] || join(CHECKOUT, '.weft')),
  };
}

/** Where Node retains the machine code of modules it has loaded, which spares each start of a process a third. */
export function compileCache(checkout: string): string {
  return join(checkout, 'node_modules/.cache/compile');
}
