import { readFileSync } from 'node:fs';
import { withoutTrailingBreaks } from '../text';

/** Suffix of a variable that names a file: `SERVICE_KEY_FILE` for `SERVICE_KEY`. */
const SUFFIX = '_FILE';

/** Maximum bytes of a value: enough for the public keys of several hundred services. */
const MAX_BYTES = 65_536;

/** Name of the variable that names the file of `env`. */
export const fileVariableOf = (env: string): string => `${env}${SUFFIX}`;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'it is not a file';

/**
 * Reads a value from a file, without the trailing line end that editors add.
 * @returns undefined if there is no such file
 * @throws Error that says what is wrong without showing the content
 */
export const readSecretFile = (path: string): string | undefined => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Error(`${JSON.stringify(path)} cannot be read (${reasonOf(error)})`, { cause: error });
  }
  if (bytes.length > MAX_BYTES) throw new Error(`${JSON.stringify(path)} has more than ${MAX_BYTES} bytes`);
  return withoutTrailingBreaks(bytes.toString('utf8'));
};
