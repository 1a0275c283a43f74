import type { Json } from '@weft/service-kit/json';

/** A type of JSON Schema. */
export type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A JSON Schema of the draft used by OpenAPI 3.1 (2020-12), with the keywords that this API needs. */
export interface Schema {
  /** Makes the schema a component of the document with this name. */
  readonly title?: string;
  readonly description?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly format?: 'date-time' | 'email' | 'binary';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly writeOnly?: boolean;
  /** For the examples of bodies; not part of the schema in the document. */
  readonly example?: Json;
}

/** Fields of an object by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** The same schema with an example. */
export const exemplified = (example: Json, schema: Schema): Schema => ({ ...schema, example });

/** The same schema with a description. */
export const described = (description: string, schema: Schema): Schema => ({ ...schema, description });

/** Any text. */
export const TEXT: Schema = { type: 'string' };

/** An id assigned by a service. */
export const ID: Schema = { type: 'string', minLength: 1 };

export const COUNT: Schema = { type: 'integer', minimum: 0 };

/** True or false. */
export const BOOLEAN: Schema = { type: 'boolean' };

/** An instant: ISO 8601 in UTC with milliseconds. */
export const TIME: Schema = { type: 'string', format: 'date-time' };

/** Any JSON object. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true };

/** One of several words. */
export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words });

/** The schema, or null. */
export const orNull = (schema: Schema): Schema => {
  if (schema.title !== undefined || typeof schema.type !== 'string') return { oneOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
};

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose fields, of any name, have this schema. */
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

/** An object with required fields, and optional ones. */
export const record = (always: Fields, sometimes: Fields = {}): Schema => ({
  type: 'object',
  properties: { ...always, ...sometimes },
  required: Object.keys(always),
});

/** A component of the document. */
export const component = (title: string, schema: Schema): Schema => ({ title, ...schema });

/** A body named after the component in it, so that generated clients have one type for it. */
const named = (suffix: string, entry: Schema, body: Schema): Schema =>
  entry.title === undefined ? body : component(`${entry.title}${suffix}`, body);

/** The body `{"data": ...}`. */
export const dataBody = (data: Schema, sometimes: Fields = {}): Schema =>
  Object.keys(sometimes).length === 0 ? named('Response', data, record({ data })) : record({ data }, sometimes);

/** The cursor of the next page; null on the last one. */
export const NEXT_CURSOR: Schema = described('Cursor of the next page; null on the last one.', orNull(TEXT));

/** The body of one page of a list. */
export const pageBody = (entry: Schema): Schema =>
  named('Page', entry, record({ data: listOf(entry), nextCursor: NEXT_CURSOR }));

/** The body of a list: all of it, or a page with `nextCursor` if `limit` or `cursor` is given. */
export const listBody = (entry: Schema): Schema =>
  named('List', entry, record({ data: listOf(entry) }, { nextCursor: NEXT_CURSOR }));

/** The body of the response to a deletion. */
export const SUCCESS_BODY: Schema = component(
  'Success',
  dataBody(record({ success: { type: 'boolean', enum: [true] } })),
);
