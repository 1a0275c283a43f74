import { InvalidRequest } from '@weft/service-kit/errors';

/** Query parameters from the simple parser: repeated ones are lists. */
export type RawQuery = Readonly<Record<string, unknown>>;

const MAX_VALUE_LENGTH = 500;

/**
 * The query parameters of a request.
 * @param known names that the route supports.
 * @throws InvalidRequest for any other name, for one given twice, and for one that is far too long.
 */
export const readQuery = (query: RawQuery, known: readonly string[]): ReadonlyMap<string, string> => {
  const understood =
    known.length === 0 ? 'This endpoint takes no query parameters.' : `Known parameters: ${known.join(', ')}.`;
  const entries = Object.entries(query);
  const errors = entries.flatMap(([field, value]) => {
    if (!known.includes(field)) return [{ field, message: `is not a known query parameter. ${understood}` }];
    if (typeof value !== 'string') return [{ field, message: 'must not be repeated' }];
    return value.length > MAX_VALUE_LENGTH
      ? [{ field, message: `must have at most ${MAX_VALUE_LENGTH} characters` }]
      : [];
  });
  if (errors.length > 0) throw new InvalidRequest(`The query string is invalid. ${understood}`, errors);
  return new Map(entries.flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : [])));
};

/** The page size asked for; undefined if none. @throws InvalidRequest unless it is a whole number from 1 to 100. */
export const readLimit = (query: ReadonlyMap<string, string>): number | undefined => {
  const text = query.get('limit');
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > 100) {
    throw new InvalidRequest('limit is invalid.', [{ field: 'limit', message: 'must be an integer from 1 to 100' }]);
  }
  return limit;
};

/** A parameter that is `true` or `false`; false if it is missing. @throws InvalidRequest */
export const readFlag = (query: ReadonlyMap<string, string>, name: string): boolean => {
  const text = query.get(name) ?? 'false';
  if (text !== 'true' && text !== 'false')
    throw new InvalidRequest(`${name} is invalid.`, [{ field: name, message: 'must be true or false' }]);
  return text === 'true';
};

/** The id of a filter; empty if it is missing. @throws InvalidRequest if it is present and empty */
export const readId = (query: ReadonlyMap<string, string>, name: string): string => {
  const id = query.get(name);
  if (id === '') throw new InvalidRequest(`${name} is invalid.`, [{ field: name, message: 'must not be empty' }]);
  return id ?? '';
};
