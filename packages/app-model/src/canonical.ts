import { createHash } from 'node:crypto';
import type { AppDocument } from './app-document.gen';

/**
 * The canonical JSON of an app: without white space, with references resolved. Keys keep the order of the file, which
 * has a meaning in `let` and in bodies.
 */
export const canonicalJson = (app: AppDocument): string => JSON.stringify(app);

/** The digest of an app: `sha256:` and 64 hexadecimal digits of its canonical JSON. */
export const digestOf = (app: AppDocument): string =>
  `sha256:${createHash('sha256').update(canonicalJson(app)).digest('hex')}`;
