import { createHash } from 'node:crypto';
import { createBoundedCache } from '../caching';
import { InvalidRequest } from '../errors';

const hashes = createBoundedCache<string, string>({ maxEntries: 1_000 });

/** Many pages have the same filters, so their hash is cached. */
const hashOf = (filters: Readonly<Record<string, string>>): string => {
  const text = JSON.stringify(Object.entries(filters).sort());
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 10);
  hashes.set(text, hash);
  return hash;
};

/** Encodes the cursor of the page after `lastId` in a list with these filters. */
export const encodeCursor = (lastId: string, filters: Readonly<Record<string, string>> = {}): string =>
  `v1.${Buffer.from(JSON.stringify([lastId, hashOf(filters)])).toString('base64url')}`;

/**
 * Decodes the id after which a page starts; undefined for the first page (empty cursor).
 * @throws InvalidRequest if the cursor is malformed or was made with other filters
 */
export const decodeCursor = (cursor: string, filters: Readonly<Record<string, string>> = {}): string | undefined => {
  if (cursor === '') return undefined;
  const invalid = (message: string): InvalidRequest =>
    new InvalidRequest('The cursor is invalid.', [{ field: 'cursor', message }]);
  const malformed = 'must be nextCursor of the previous page, unchanged.';
  if (!cursor.startsWith('v1.') || cursor.length > 300) throw invalid(malformed);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString('utf8'));
  } catch {
    throw invalid(malformed);
  }
  if (!Array.isArray(parsed) || parsed.length !== 2 || typeof parsed[0] !== 'string') throw invalid(malformed);
  if (parsed[1] !== hashOf(filters))
    throw invalid('belongs to a list with other filters; start again without a cursor.');
  return parsed[0];
};

/** Size of a page; 0 means the default of 20. @throws InvalidRequest above 100 */
export const pageLimit = (limit: number): number => {
  if (limit > 100)
    throw new InvalidRequest('limit is too large.', [{ field: 'limit', message: 'must be from 1 to 100.' }]);
  return limit === 0 ? 20 : limit;
};
