import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';

/** A JSON Schema as values are checked against it. */
export interface CheckedSchema {
  readonly schema: JsonObject;
  /** Most checks of one value: its schemas, nested ones included, and the entries of their lists. */
  readonly checks: number;
}

/** Maximum number of schemas, references written out. Further ones accept any value. */
const MAX_SIZE = 2_000;
/** Maximum nesting of schemas, references written out. Deeper ones accept any value. */
const MAX_DEPTH = 24;

const checked = new WeakMap<JsonObject, CheckedSchema>();

/**
 * A schema in the form in which values can be checked in bounded time: only known keywords with values of the right
 * type, and references within the schema written out. Patterns, formats and the uniqueness of entries are left out:
 * their cost depends on both the schema and the value.
 */
export function checkedSchema(schema: JsonObject): CheckedSchema {
  const known = checked.get(schema);
  if (known !== undefined) return known;
  const writer = new SchemaWriter(schema);
  const made = { schema: writer.write(schema, 0), checks: writer.size + writer.entries };
  checked.set(schema, made);
  return made;
}

const isText = (value: Json): boolean => typeof value === 'string';
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: Json): boolean => typeof value === 'number';
const isAny = (): boolean => true;

/** Keywords whose values are data. */
const PLAIN: Readonly<Record<string, (value: Json) => boolean>> = {
  type: (value) => isText(value) || isTexts(value),
  required: isTexts,
  enum: Array.isArray,
  const: isAny,
  default: isAny,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minContains: isNumber,
  maxContains: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
};
const SCHEMAS = ['additionalProperties', 'additionalItems', 'items', 'not', 'if', 'then', 'else', 'contains'];
const LISTS = ['anyOf', 'allOf', 'oneOf', 'prefixItems', 'items'];
const MAPS = ['properties', 'dependentSchemas'];

class SchemaWriter {
  size = 0;
  /** Of lists of values and names. */
  entries = 0;

  constructor(private readonly root: JsonObject) {}

  write(given: JsonObject, depth: number): JsonObject {
    this.size += 1;
    if (depth > MAX_DEPTH || this.size > MAX_SIZE) return {};
    const reference = given['$ref'];
    if (typeof reference === 'string') {
      const target = this.#find(reference);
      return target === undefined ? {} : this.write(target, depth + 1);
    }
    const schema: JsonObject = {};
    for (const [keyword, isValid] of Object.entries(PLAIN)) {
      const value = given[keyword];
      if (!Object.hasOwn(given, keyword) || value === undefined || !isValid(value)) continue;
      schema[keyword] = value;
      if (Array.isArray(value)) this.entries += value.length;
    }
    for (const keyword of SCHEMAS) {
      const value = given[keyword];
      if (typeof value === 'boolean') schema[keyword] = value;
      else if (isJsonObject(value)) schema[keyword] = this.write(value, depth + 1);
    }
    for (const keyword of LISTS) {
      const value = given[keyword];
      if (Array.isArray(value) && value.length > 0) schema[keyword] = this.#list(value, depth);
    }
    for (const keyword of MAPS) {
      const value = given[keyword];
      if (isJsonObject(value)) schema[keyword] = this.#map(value, depth);
    }
    // Patterns could allow any of the others.
    if (isJsonObject(given['patternProperties'])) delete schema['additionalProperties'];
    return schema;
  }

  #list(values: readonly Json[], depth: number): Json[] {
    return values.map((value) => this.#entry(value, depth));
  }

  #map(values: JsonObject, depth: number): JsonObject {
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        name === '__proto__' ? [] : [[name, this.#entry(value, depth)]],
      ),
    );
  }

  #entry(value: Json, depth: number): Json {
    if (typeof value === 'boolean') return value;
    return isJsonObject(value) ? this.write(value, depth + 1) : {};
  }

  /** The target of a reference such as `#/$defs/city`; undefined for one that leads elsewhere. */
  #find(reference: string): JsonObject | undefined {
    if (!reference.startsWith('#')) return undefined;
    const steps = reference === '#' ? [] : reference.slice(2).split('/');
    let value: Json | undefined = this.root;
    for (const step of steps.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~')))
      value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    return isJsonObject(value) ? value : undefined;
  }
}
