import { type FieldError, InvalidRequest } from '@weft/service-kit/errors';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import { ANY_OBJECT, type Schema } from '../openapi/schema';

/**
 * Type of a value in a request body. It both reads the value and has its JSON schema, so that the OpenAPI document
 * cannot differ. Shapes are created once, when the process starts.
 */
export interface Shape<Value> {
  readonly schema: Schema;
  /**
   * @param at path of the value within the body, for example `nodes[2].name`
   * @param errors collects errors of the value
   * @returns undefined if the value has a wrong type
   */
  readonly read: (value: Json, at: string, errors: FieldError[]) => Value | undefined;
}

/** Shape of an object, whose fields are all read even if some are invalid. */
export interface ObjectShape<Value> extends Shape<Value> {
  readonly readFields: (object: JsonObject, at: string, errors: FieldError[]) => Value;
}

/** Values of fields; undefined for missing or invalid ones. */
type FieldValues<Fields extends Readonly<Record<string, Shape<unknown>>>> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Shape<infer Value> ? Value | undefined : never;
};

/** Rules for the other fields of an object. */
export interface ObjectRules<Name> {
  readonly required?: readonly Name[];
  /** Fields that may be sent and are ignored: those that responses contain. */
  readonly ignored?: readonly string[];
  /** True if any other field may be sent too. */
  readonly isOpen?: boolean;
  /** Expected value in the error for a value that is not an object, after "must be". */
  readonly expected?: string;
}

const valueOf = <Value extends Json>(
  schema: Schema,
  expected: string,
  is: (value: Json) => value is Value,
): Shape<Value> => ({
  schema,
  read: (value, at, errors) => {
    if (is(value)) return value;
    errors.push({ field: at, message: `must be ${expected}` });
    return undefined;
  },
});

const isText = (value: Json): value is string => typeof value === 'string';
const isFlag = (value: Json): value is boolean => typeof value === 'boolean';

/** A string, which may be empty. @param rules constraints of its service, for the document */
export const text = (rules: Schema = {}): Shape<string> => valueOf({ type: 'string', ...rules }, 'a string', isText);

/** A non-empty string: an empty id means that the sender did not have it. */
export const idText = (rules: Schema = {}): Shape<string> =>
  valueOf(
    { type: 'string', minLength: 1, ...rules },
    'a string that is not empty',
    (value): value is string => isText(value) && value !== '',
  );

/** True or false. */
export const flag = (rules: Schema = {}): Shape<boolean> =>
  valueOf({ type: 'boolean', ...rules }, 'true or false', isFlag);

/** Any object. */
export const anyObject = (rules: Schema = {}, expected = 'an object'): Shape<JsonObject> =>
  valueOf({ ...ANY_OBJECT, ...rules }, expected, isJsonObject);

export const list = <Value>(item: Shape<Value>, rules: Schema = {}): Shape<readonly (Value | undefined)[]> => ({
  schema: { type: 'array', items: item.schema, ...rules },
  read: (value, at, errors) => {
    if (Array.isArray(value)) return value.map((entry, index) => item.read(entry, `${at}[${index}]`, errors));
    errors.push({ field: at, message: 'must be an array' });
    return undefined;
  },
});

/** One of several words, converted to its value. */
export const choice = <Value>(
  choices: ReadonlyMap<string, Value>,
  rules: Schema = {},
  message = `must be one of ${[...choices.keys()].join(', ')}.`,
): Shape<Value> => {
  const word = text();
  return {
    schema: { type: 'string', enum: [...choices.keys()], ...rules },
    read: (value, at, errors) => {
      const read = word.read(value, at, errors);
      if (read === undefined) return undefined;
      const found = choices.get(read);
      if (found === undefined) errors.push({ field: at, message });
      return found;
    },
  };
};

/** An integer within a range. */
export const integer = (minimum: number, maximum: number, rules: Schema = {}): Shape<number> => ({
  schema: { type: 'integer', minimum, maximum, ...rules },
  read: (value, at, errors) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    errors.push({ field: at, message: `must be an integer from ${minimum} to ${maximum}.` });
    return undefined;
  },
});

/** A number from a minimum. */
export const numberFrom = (minimum: number, rules: Schema = {}): Shape<number> => ({
  schema: { type: 'number', minimum, ...rules },
  read: (value, at, errors) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= minimum) return value;
    errors.push({ field: at, message: `must be a number from ${minimum}.` });
    return undefined;
  },
});

/** RFC 3339 with a time zone: other formats accepted by Date mean a different instant in each zone. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Error for text that is not an instant. */
export const TIME_EXPECTED = 'must be a time with a zone, such as 2026-01-31T12:00:00Z.';

/** The instant in a string; undefined if it is invalid. */
export const readInstant = (written: string): Date | undefined => {
  const instant = new Date(written);
  return TIME.test(written) && !Number.isNaN(instant.getTime()) ? instant : undefined;
};

export const time = (rules: Schema = {}): Shape<Date> => {
  const written = text();
  return {
    schema: { type: 'string', format: 'date-time', ...rules },
    read: (value, at, errors) => {
      const read = written.read(value, at, errors);
      if (read === undefined) return undefined;
      const instant = readInstant(read);
      if (instant === undefined) errors.push({ field: at, message: TIME_EXPECTED });
      return instant;
    },
  };
};

const IGNORED: Schema = { description: 'Ignored, so that you can send a response of GET.' };

const objectSchema = (
  fields: Readonly<Record<string, Shape<unknown>>>,
  { required = [], ignored = [], isOpen = false }: ObjectRules<string>,
): Schema => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    ...Object.fromEntries(ignored.map((name) => [name, IGNORED])),
  },
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: isOpen,
});

/** An object with these fields. A missing field reads as undefined, and so does one of a wrong type, with an error. */
export const object = <Fields extends Readonly<Record<string, Shape<unknown>>>>(
  fields: Fields,
  rules: ObjectRules<keyof Fields & string> = {},
): ObjectShape<FieldValues<Fields>> => {
  const { required = [], ignored = [], isOpen = false, expected = 'an object' } = rules;
  const rows = Object.entries(fields);
  const known = new Set([...Object.keys(fields), ...ignored]);
  const unknown = `is not a known field; known fields: ${[...known].join(', ')}`;
  const readFields = (value: JsonObject, at: string, errors: FieldError[]): FieldValues<Fields> => {
    const path = at === '' ? '' : `${at}.`;
    if (!isOpen)
      for (const name of Object.keys(value))
        if (!known.has(name)) errors.push({ field: `${path}${name}`, message: unknown });
    for (const name of required)
      if (!Object.hasOwn(value, name)) errors.push({ field: `${path}${name}`, message: 'is required' });
    const read = Object.fromEntries(
      rows.map(([name, shape]) => {
        const field = Object.hasOwn(value, name) ? value[name] : undefined;
        return [name, field === undefined ? undefined : shape.read(field, `${path}${name}`, errors)];
      }),
    );
    return read as FieldValues<Fields>;
  };
  return {
    schema: objectSchema(fields, rules),
    readFields,
    read: (value, at, errors) => {
      if (isJsonObject(value)) return readFields(value, at, errors);
      errors.push({ field: at, message: `must be ${expected}` });
      return undefined;
    },
  };
};

/** The same shape with another schema, for values that are described more closely than they are checked. */
export const describedBy = <Of extends Shape<unknown>>(schema: Schema, shape: Of): Of => ({ ...shape, schema });

/** A shape whose value may also be null, which is read like a missing one. */
export const nullable = <Value>({ schema, read }: Shape<Value>): Shape<Value> => ({
  schema: { oneOf: [schema, { type: 'null' }] },
  read: (value, at, errors) => (value === null ? undefined : read(value, at, errors)),
});

/** Completes reading a body. @throws InvalidRequest if there were errors */
const refuseErrors = (errors: readonly FieldError[]): void => {
  if (errors.length > 0)
    throw new InvalidRequest('The body has invalid fields; see details.fields.', errors.slice(0, 50));
};

/** Reads a body, which must be an object. @throws InvalidRequest */
export const readBody = <Value>(shape: ObjectShape<Value>, body: Json | undefined): Value => {
  if (!isJsonObject(body)) throw new InvalidRequest('The body must be a JSON object.');
  const errors: FieldError[] = [];
  const value = shape.readFields(body, '', errors);
  refuseErrors(errors);
  return value;
};

/** Reads a body that may be missing. @throws InvalidRequest */
export const readOptionalBody = <Value>(shape: ObjectShape<Value>, body: Json | undefined): Value =>
  readBody(shape, body === undefined ? {} : body);
