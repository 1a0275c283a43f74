import type { IncomingHttpHeaders } from 'node:http';

const TAG = /^(?:W\/)?"([0-9a-f]{1,64})"$/;

/** The catalogue tag in If-None-Match; empty if there is none, or several. */
export const knownTag = (headers: IncomingHttpHeaders): string => TAG.exec(headers['if-none-match'] ?? '')?.[1] ?? '';

/** Headers that let a client keep the answer, but ask each time whether it still holds. */
export const cacheHeaders = (tag: string): Readonly<Record<string, string>> => ({
  etag: `"${tag}"`,
  'cache-control': 'private, no-cache',
});
