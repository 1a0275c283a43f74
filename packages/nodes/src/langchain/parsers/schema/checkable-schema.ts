import { safeLengthOf } from '@weft/expressions';
import { isJsonObject, type Json, type JsonObject, listField } from '@weft/node-catalogue';
import { refused, type SchemaPlace } from './read-schema';

/** Schemas within one schema. */
const MAX_SCHEMAS = 2_000;
/** A pattern must be safe for strings of this length; longer ones are refused when they are checked. */
const MIN_SAFE_LENGTH = 1_000;
/** Longest string whose `format` is checked, and longest list whose entries are compared with each other. */
const [MAX_FORMATTED, MAX_COMPARED] = [2_000, 1_000];

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
/** Formats whose checks take linear time. Others are descriptions for the model. */
const FORMATS = ['date', 'date-time', 'duration', 'email', 'ipv4', 'ipv6', 'time', 'uuid'];
/** An absolute URI, in place of the format `uri`. */
const URI = '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s]+$';

const NUMBERS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
];
const ONE = [
  ...['additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** Keywords whose schemas are checked against the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'else', 'if', 'not', 'oneOf', 'then'];

/**
 * The form of a user's JSON Schema that can be checked in bounded time: only known keywords, only references within the
 * schema, and no regular expression, format or comparison of entries that is slow for long values. Lenient where n8n
 * is: `nullable`, `required: true` on a property, and unknown types and strings in place of schemas, which accept any
 * value.
 * @throws NodeFailure that names the field and the place within the schema
 */
export function checkableSchema(schema: JsonObject, place: SchemaPlace): JsonObject {
  const reader = new Reader(place);
  const checkable = reader.read(schema, '#');
  if (!isJsonObject(checkable)) return {};
  checkReferences(checkable, place);
  return checkable;
}

class Reader {
  #schemas = 0;

  constructor(private readonly place: SchemaPlace) {}

  read(schema: Json, at: string): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema;
    // n8n accepts any value there
    if (!isJsonObject(schema)) return true;
    this.#schemas += 1;
    if (this.#schemas > MAX_SCHEMAS)
      throw refused(this.place, `contains more than ${MAX_SCHEMAS} schemas`, 'Make the schema smaller.');
    const read = this.#fields(schema, at);
    if (schema['nullable'] !== true) return read;
    return { anyOf: [{ type: 'null' }, read] };
  }

  #fields(schema: JsonObject, at: string): JsonObject {
    const result: JsonObject = {};
    const known = typesOf(schema['type']);
    if (known !== undefined) result['type'] = known;
    const reference = schema['$ref'];
    if (typeof reference === 'string') result['$ref'] = this.#reference(reference, at);
    if (Array.isArray(schema['enum'])) result['enum'] = schema['enum'];
    if (schema['const'] !== undefined) result['const'] = schema['const'];
    for (const name of NUMBERS) if (typeof schema[name] === 'number') result[name] = schema[name];
    for (const name of ONE)
      if (isJsonObject(schema[name]) || typeof schema[name] === 'boolean')
        result[name] = this.read(schema[name], `${at}/${name}`);
    for (const name of MANY)
      if (Array.isArray(schema[name]))
        result[name] = schema[name].map((one, index) => this.read(one, `${at}/${name}/${index}`));
    for (const name of NAMED) if (isJsonObject(schema[name])) result[name] = this.#named(schema[name], at, name);
    const required = requiredOf(schema);
    if (required.length > 0) result['required'] = required;
    const guarded = this.#guarded(schema, at);
    if (guarded.length > 0) result['allOf'] = [...listField(result, 'allOf'), ...guarded];
    return result;
  }

  #named(schemas: JsonObject, at: string, keyword: string): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, one]) => {
        if (keyword === 'patternProperties') this.#safeLength(name, `${at}/${keyword}`);
        return [name, this.read(one, `${at}/${keyword}/${name.slice(0, 100)}`)];
      }),
    );
  }

  #reference(reference: string, at: string): string {
    if (reference === '#' || reference.startsWith('#/')) return reference;
    throw refused(
      this.place,
      `has a reference "${reference.slice(0, 200)}" at ${at}`,
      'Only references within the schema are supported, such as "#/$defs/address".',
    );
  }

  /** Checks that are made only for values of a length for which they are fast. */
  #guarded(schema: JsonObject, at: string): JsonObject[] {
    const { pattern, format, uniqueItems } = schema;
    const checks: JsonObject[] = [];
    if (typeof pattern === 'string') checks.push(this.#pattern(pattern, at));
    if (format === 'uri') checks.push(upTo('maxLength', MAX_FORMATTED, { pattern: URI }, true));
    else if (typeof format === 'string' && FORMATS.includes(format))
      checks.push(upTo('maxLength', MAX_FORMATTED, { format }, true));
    if (uniqueItems === true) checks.push(upTo('maxItems', MAX_COMPARED, { uniqueItems }, false));
    return checks;
  }

  #pattern(pattern: string, at: string): JsonObject {
    return upTo('maxLength', this.#safeLength(pattern, at), { pattern }, false);
  }

  #safeLength(pattern: string, at: string): number {
    const length = safeLengthOf(pattern, 'u');
    const shown = pattern.slice(0, 100);
    if (length === undefined)
      throw refused(this.place, `has an invalid regular expression at ${at}: ${shown}`, 'Correct the pattern.');
    if (length >= MIN_SAFE_LENGTH) return length;
    throw refused(
      this.place,
      `has a regular expression at ${at} that can take very long: ${shown}`,
      'Avoid repetitions within repetitions, such as (a+)+.',
    );
  }
}

/** A check of values up to a length. Longer ones are accepted or not. */
function upTo(limit: string, length: number, check: JsonObject, otherwise: boolean): JsonObject {
  return { if: { [limit]: length }, then: check, else: otherwise };
}

function typesOf(type: Json | undefined): Json | undefined {
  if (typeof type === 'string') return TYPES.includes(type) ? type : undefined;
  if (!Array.isArray(type) || type.length === 0) return undefined;
  return type.every((one) => typeof one === 'string' && TYPES.includes(one)) ? type : undefined;
}

/** Names of required fields. A field with a default is not required: it gets the default. */
function requiredOf(schema: JsonObject): string[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const property = (name: string): Json | undefined => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const hasDefault = (name: string): boolean => {
    const one = property(name);
    return isJsonObject(one) && one['default'] !== undefined;
  };
  const listed = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : Object.keys(properties).filter((name) => {
        const one = property(name);
        return isJsonObject(one) && one['required'] === true;
      });
  return listed.filter((name) => !hasDefault(name));
}

/** The fields of a schema, with every schema directly within it mapped. */
export function mapSchemas<Mapped>(schema: JsonObject, map: (one: Json) => Mapped): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]): [string, unknown] => {
      if (NAMED.includes(name) && isJsonObject(value))
        return [name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]))];
      if (MANY.includes(name) && Array.isArray(value)) return [name, value.map(map)];
      return [name, ONE.includes(name) ? map(value) : value];
    }),
  );
}

/** @throws NodeFailure for a reference that leads nowhere, or back to itself without entering a value */
function checkReferences(root: JsonObject, place: SchemaPlace): void {
  const done = new Set<JsonObject>();
  const visit = (schema: Json | undefined, path: readonly JsonObject[]): void => {
    if (!isJsonObject(schema) || done.has(schema)) return;
    if (path.includes(schema))
      throw refused(place, 'has a reference that leads back to itself', 'Let a recursive schema enter a property.');
    const next = [...path, schema];
    const reference = schema['$ref'];
    if (typeof reference === 'string') visit(target(root, reference, place), next);
    for (const name of IN_PLACE) {
      const inner = schema[name];
      if (Array.isArray(inner)) inner.forEach((one) => visit(one, next));
      else visit(inner, next);
    }
    done.add(schema);
  };
  const all = (value: Json): void => {
    if (!isJsonObject(value)) return;
    visit(value, []);
    mapSchemas(value, all);
  };
  all(root);
}

function target(root: JsonObject, reference: string, place: SchemaPlace): Json {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((value, part) => {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(value)) return value[Number(name)];
      return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, root);
  if (isJsonObject(found) || typeof found === 'boolean') return found;
  throw refused(place, `has a reference "${reference.slice(0, 200)}" that leads nowhere`, 'Correct the reference.');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
