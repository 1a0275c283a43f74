import { readFileSync } from 'node:fs';

/** A file of the image library or font package, which take bytes instead of reading files. */
export const fileOf = (name: string): Uint8Array => readFileSync(require.resolve(name));
