import { createHash } from 'node:crypto';
import type { AppDocument } from './app-document.gen';

/**
 * The canonical JSON of an app: without white space, with references resolved. Keys keep the order of the file, which
 * has a meaning in `let` and in bodies.
 */
export const canonicalJson = (app: AppDocument): string => JSON.stringify(app);

/** The digest of an app: `sha256:` and 64 hexadecimal digits of its canonical JSON. */
export const digestOf = (app: AppDocument): string => digestOfJson(canonicalJson(app));

/** The digest of the canonical JSON of an app. */
export const digestOfJson = (json: string): string => `sha256:${createHash('sha256').update(json).digest('hex')}`;
