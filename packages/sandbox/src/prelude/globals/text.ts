import { defineLazyGlobal } from '../define';
import { loader } from '../libraries';

/** Sets `TextEncoder`, `TextDecoder`, `btoa` and `atob`. */
export function installText(): void {
  for (const name of ['TextEncoder', 'TextDecoder', 'btoa', 'atob'] as const)
    defineLazyGlobal(name, () => loader()('globals/text-coders')[name]);
}
