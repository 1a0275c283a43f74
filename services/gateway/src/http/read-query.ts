import { InvalidRequest } from '@weft/service-kit/errors';
import type { Schema } from '../openapi/schema';
import { readInstant, TIME_EXPECTED } from './shape';

/** Query parameters from the simple parser: repeated ones are lists. */
export type RawQuery = Readonly<Record<string, unknown>>;

/** Query parameters by name; only those of the route, each given once. */
export type Query = ReadonlyMap<string, string>;

/** A query parameter: reads it, and describes it for the OpenAPI document. */
export interface QueryParameter<Value> {
  readonly name: string;
  readonly description: string;
  /** A `maxLength` above the usual maximum admits longer values. */
  readonly schema: Schema;
  /** @throws InvalidRequest if its value is invalid */
  readonly read: (query: Query) => Value;
}

const MAX_VALUE_LENGTH = 500;
/** Characters of a list of ids: more than 100 of them. */
const MAX_IDS_LENGTH = 4_000;

/**
 * The query parameters of a request.
 * @param known those that the route supports
 * @throws InvalidRequest for any other name, a repeated one, or one that is far too long
 */
export const readQuery = (
  query: RawQuery,
  known: readonly Pick<QueryParameter<unknown>, 'name' | 'schema'>[],
): Query => {
  const understood =
    known.length === 0
      ? 'This endpoint takes no query parameters.'
      : `Known parameters: ${known.map(({ name }) => name).join(', ')}.`;
  const entries = Object.entries(query);
  const errors = entries.flatMap(([field, value]) => {
    const parameter = known.find(({ name }) => name === field);
    if (parameter === undefined) return [{ field, message: `is not a known query parameter. ${understood}` }];
    if (typeof value !== 'string') return [{ field, message: 'must not be repeated' }];
    const most = Math.max(MAX_VALUE_LENGTH, parameter.schema.maxLength ?? 0);
    return value.length > most ? [{ field, message: `must have at most ${most} characters` }] : [];
  });
  if (errors.length > 0) throw new InvalidRequest(`The query string is invalid. ${understood}`, errors);
  return new Map(entries.flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : [])));
};

const refused = (name: string, message: string): InvalidRequest =>
  new InvalidRequest(`${name} is invalid.`, [{ field: name, message }]);

/** The default of a parameter, for the document; nothing where a missing value has no equivalent. */
const defaultOf = (value: number | undefined): Pick<Schema, 'default'> =>
  value === undefined ? {} : { default: value };

/** A whole number from 1 to a maximum; undefined if it is missing. @param missing what the handler assumes then */
export const numberParameter = (
  name: string,
  maximum: number,
  description: string,
  missing?: number,
): QueryParameter<number | undefined> => ({
  name,
  description,
  schema: { type: 'integer', minimum: 1, maximum, ...defaultOf(missing) },
  read: (query) => {
    const text = query.get(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d{1,3}$/.test(text) || value < 1 || value > maximum)
      throw refused(name, `must be an integer from 1 to ${maximum}`);
    return value;
  },
});

/** The text of a parameter or header as a whole number within a range. @throws InvalidRequest */
export const readWhole = (name: string, text: string, minimum: number, maximum: number): number => {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < minimum || value > maximum)
    throw refused(name, `must be an integer from ${minimum} to ${maximum}`);
  return value;
};

/** A whole number within a range; undefined if it is missing. @param missing what the handler assumes then */
export const wholeParameter = (
  name: string,
  minimum: number,
  maximum: number,
  description: string,
  missing?: number,
): QueryParameter<number | undefined> => ({
  name,
  description,
  schema: { type: 'integer', minimum, maximum, ...defaultOf(missing) },
  read: (query) => {
    const text = query.get(name);
    return text === undefined ? undefined : readWhole(name, text, minimum, maximum);
  },
});

/** Any string; empty if it is missing. */
export const textParameter = (name: string, description: string): QueryParameter<string> => ({
  name,
  description,
  schema: { type: 'string', maxLength: MAX_VALUE_LENGTH },
  read: (query) => query.get(name) ?? '',
});

/** Any string, which may be empty; undefined if it is missing. */
export const optionalText = (
  name: string,
  description: string,
  rules: Pick<Schema, 'pattern' | 'maxLength'> = {},
): QueryParameter<string | undefined> => ({
  name,
  description,
  schema: { type: 'string', maxLength: MAX_VALUE_LENGTH, ...rules },
  read: (query) => query.get(name),
});

/** An id, which must not be empty if given; empty if it is missing. */
export const idParameter = (name: string, description: string): QueryParameter<string> => ({
  name,
  description,
  schema: { type: 'string', minLength: 1, maxLength: MAX_VALUE_LENGTH },
  read: (query) => {
    const id = query.get(name);
    if (id === '') throw refused(name, 'must not be empty');
    return id ?? '';
  },
});

/** `true` or `false`. @param missing its value if it is missing */
export const flagParameter = (name: string, description: string, missing = false): QueryParameter<boolean> => ({
  name,
  description,
  schema: { type: 'boolean', default: missing },
  read: (query) => {
    const text = query.get(name) ?? String(missing);
    if (text !== 'true' && text !== 'false') throw refused(name, 'must be true or false');
    return text === 'true';
  },
});

/** `true` or `false`; undefined if it is missing. */
export const optionalFlag = (name: string, description: string): QueryParameter<boolean | undefined> => ({
  name,
  description,
  schema: { type: 'boolean' },
  read: (query) => {
    const text = query.get(name);
    if (text === undefined) return undefined;
    if (text !== 'true' && text !== 'false') throw refused(name, 'must be true or false');
    return text === 'true';
  },
});

/** One of several words, converted to its value; undefined if it is missing. */
export const choiceParameter = <Value>(
  name: string,
  choices: ReadonlyMap<string, Value>,
  description: string,
): QueryParameter<Value | undefined> => ({
  name,
  description,
  schema: { type: 'string', enum: [...choices.keys()] },
  read: (query) => {
    const word = query.get(name);
    if (word === undefined) return undefined;
    const value = choices.get(word);
    if (value === undefined) throw refused(name, `must be one of ${[...choices.keys()].join(', ')}`);
    return value;
  },
});

/** Words separated by commas, each converted to its value; undefined if it is missing. */
export const choicesParameter = <Value>(
  name: string,
  choices: ReadonlyMap<string, Value>,
  description: string,
): QueryParameter<readonly Value[] | undefined> => {
  const words = [...choices.keys()];
  return {
    name,
    description,
    schema: { type: 'string', pattern: `^(${words.join('|')})(,(${words.join('|')}))*$` },
    read: (query) =>
      query
        .get(name)
        ?.split(',')
        .map((word) => {
          const value = choices.get(word);
          if (value === undefined)
            throw refused(name, `must be one or more of ${words.join(', ')}, separated by commas`);
          return value;
        }),
  };
};

/** Names in upper case, separated by commas; undefined if it is missing. */
export const namesParameter = (name: string, description: string): QueryParameter<readonly string[] | undefined> => ({
  name,
  description,
  schema: { type: 'string', pattern: '^[A-Z0-9_]+(,[A-Z0-9_]+)*$' },
  read: (query) => {
    const names = query.get(name)?.split(',');
    if (names?.some((one) => !/^[A-Z0-9_]+$/.test(one)) === true)
      throw refused(name, 'must be names in upper case, separated by commas');
    return names;
  },
});

/** Ids, separated by commas; undefined if they are missing. */
export const idsParameter = (name: string, description: string): QueryParameter<readonly string[] | undefined> => ({
  name,
  description,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$', maxLength: MAX_IDS_LENGTH },
  read: (query) => {
    const ids = query.get(name)?.split(',');
    if (ids?.some((id) => !/^[\w-]+$/.test(id)) === true) throw refused(name, 'must be ids, separated by commas');
    return ids;
  },
});

/** An instant; undefined if it is missing. */
export const timeParameter = (name: string, description: string): QueryParameter<Date | undefined> => ({
  name,
  description,
  schema: { type: 'string', format: 'date-time' },
  read: (query) => {
    const text = query.get(name);
    if (text === undefined) return undefined;
    const instant = readInstant(text);
    if (instant === undefined) throw refused(name, TIME_EXPECTED);
    return instant;
  },
});

/** Number of entries of a page. */
export const LIMIT = numberParameter('limit', 100, 'Number of entries of a page.', 20);

/** Number of entries of a page of a list that is returned as a whole unless a page is asked for. */
const OPTIONAL_LIMIT = numberParameter(
  LIMIT.name,
  100,
  'Number of entries of a page: 20 if only `cursor` is given. Without both, all entries are returned.',
);

/** Start of a page. */
export const CURSOR = textParameter('cursor', 'The `nextCursor` of the previous page.');

/** Parameters of a list that always returns one page. */
export const PAGE: readonly QueryParameter<unknown>[] = [LIMIT, CURSOR];

/** Parameters of a list that returns all entries unless a page is asked for. */
export const OPTIONAL_PAGE: readonly QueryParameter<unknown>[] = [OPTIONAL_LIMIT, CURSOR];
