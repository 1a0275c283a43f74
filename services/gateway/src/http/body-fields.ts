import { type FieldError, InvalidRequest } from '@weft/service-kit/errors';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import { PayloadTooLarge } from '../errors';

const expected: Readonly<Record<'string' | 'boolean' | 'object' | 'array', string>> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** Reads the fields of one object of a body and collects their errors, each with its path. */
export interface FieldReader {
  /** A string, which may be empty. */
  readonly string: (name: string) => string | undefined;
  readonly boolean: (name: string) => boolean | undefined;
  readonly object: (name: string) => JsonObject | undefined;
  readonly array: (name: string) => Json[] | undefined;
  /** Records an error if the field is missing. */
  readonly require: (...names: string[]) => void;
  /** Records an error for every field that is not named. */
  readonly allowOnly: (...names: string[]) => void;
  readonly error: (name: string, message: string) => void;
}

/**
 * Reads an object's fields. A field that is missing reads as undefined; so does one of a wrong type, with an error.
 * @param path of the object within the body, for example `nodes[2].`; empty for the body itself.
 */
export const readFields = (object: JsonObject, errors: FieldError[], path = ''): FieldReader => {
  const error = (name: string, message: string): void => {
    errors.push({ field: `${path}${name}`, message });
  };
  const read = <Type extends Json>(
    name: string,
    kind: keyof typeof expected,
    is: (value: Json) => value is Type,
  ): Type | undefined => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined || is(value)) return value;
    error(name, `must be ${expected[kind]}`);
    return undefined;
  };
  return {
    string: (name) => read(name, 'string', (value) => typeof value === 'string'),
    boolean: (name) => read(name, 'boolean', (value) => typeof value === 'boolean'),
    object: (name) => read(name, 'object', isJsonObject),
    array: (name) => read(name, 'array', (value) => Array.isArray(value)),
    require: (...names) =>
      names.filter((name) => !Object.hasOwn(object, name)).forEach((name) => error(name, 'is required')),
    allowOnly: (...names) =>
      Object.keys(object)
        .filter((name) => !names.includes(name))
        .forEach((name) => error(name, `is not a known field; known fields: ${names.join(', ')}`)),
    error,
  };
};

/** The body as an object. @throws InvalidRequest */
export const bodyObject = (body: Json | undefined): JsonObject => {
  if (!isJsonObject(body)) throw new InvalidRequest('The body must be a JSON object.');
  return body;
};

/** Ends the reading of a body. @throws InvalidRequest if it had any error. */
export const refuseFieldErrors = (errors: readonly FieldError[]): void => {
  if (errors.length > 0)
    throw new InvalidRequest('The body has invalid fields; see details.fields.', errors.slice(0, 50));
};

/** An object's fields without the named ones. */
export const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** RFC 3339, with a zone: other forms that Date parses mean a different instant in each zone. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A field that holds an instant; undefined if it is missing, or has an error. */
export const readTime = (fields: FieldReader, name: string): Date | undefined => {
  const text = fields.string(name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) return time;
  fields.error(name, 'must be a time with a zone, such as 2026-01-31T12:00:00Z.');
  return undefined;
};

/**
 * Size limit of one call to a service, in characters of JSON, with room for its other fields and for characters of
 * several bytes.
 */
const MAX_CHARACTERS = 12_000_000;

/**
 * Refuses data that would not fit into one call. A body within its own limit can grow beyond this one when it is
 * serialized again: text as a JSON string, `1e20` in full.
 * @param characters of JSON text in all.
 * @throws PayloadTooLarge
 */
export const checkMessageSize = (characters: number): void => {
  if (characters <= MAX_CHARACTERS) return;
  throw new PayloadTooLarge(
    `The body exceeds ${MAX_CHARACTERS} characters when written as JSON, the limit of one request.`,
  );
};
