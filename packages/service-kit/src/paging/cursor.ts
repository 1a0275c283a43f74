import { createHash } from 'node:crypto';
import { InvalidRequest } from '../errors';

const hashOf = (filters: Readonly<Record<string, string>>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(filters).sort()))
    .digest('base64url')
    .slice(0, 10);

/** The cursor that continues after `lastId` in a list with these filters. */
export const encodeCursor = (lastId: string, filters: Readonly<Record<string, string>> = {}): string =>
  `v1.${Buffer.from(JSON.stringify([lastId, hashOf(filters)])).toString('base64url')}`;

/**
 * The id a page starts after; undefined for the first page (empty cursor).
 * @throws InvalidRequest if the cursor was not made by encodeCursor, or for other filters.
 */
export const decodeCursor = (cursor: string, filters: Readonly<Record<string, string>> = {}): string | undefined => {
  if (cursor === '') return undefined;
  const fault = (message: string): InvalidRequest =>
    new InvalidRequest('The cursor cannot be used.', [{ field: 'cursor', message }]);
  const broken = 'Use nextCursor of the previous answer as it is.';
  if (!cursor.startsWith('v1.') || cursor.length > 300) throw fault(broken);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString('utf8'));
  } catch {
    throw fault(broken);
  }
  if (!Array.isArray(parsed) || parsed.length !== 2 || typeof parsed[0] !== 'string') throw fault(broken);
  if (parsed[1] !== hashOf(filters))
    throw fault('It belongs to a list with other filters; start again without cursor.');
  return parsed[0];
};

/**
 * The page size asked for: 20 when 0.
 * @throws InvalidRequest above 100.
 */
export const pageLimit = (limit: number): number => {
  if (limit > 100) throw new InvalidRequest('limit is too large.', [{ field: 'limit', message: 'Use 1 to 100.' }]);
  return limit === 0 ? 20 : limit;
};
