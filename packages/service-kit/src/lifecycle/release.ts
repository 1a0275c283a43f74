import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (): string => {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(__dirname, '../../../package.json'), 'utf8'),
  );
  return version;
};

/** Release of Weft of this process: major, minor and patch. All packages have the same. */
export const RELEASE = read();
