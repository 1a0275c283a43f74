import { readFileSync } from 'node:fs';

/** A file of a package: of the image library and its fonts, which take bytes and read no files themselves. */
export const fileOf = (name: string): Uint8Array => readFileSync(require.resolve(name));
