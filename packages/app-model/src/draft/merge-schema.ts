import { isJsonObject, type Json, type JsonObject, listField, objectField } from '@weft/service-kit/json-values';
import type { References } from './references';

/** Levels of `allOf`, `anyOf` and `oneOf` within each other. */
const MAX_DEPTH = 15;
/** Maximum number of properties of an object, and of variants of a schema. */
const MAX_PROPERTIES = 300;
const MAX_VARIANTS = 50;
/** Maximum number of schemas that one schema consists of. */
const MAX_PARTS = 2_000;

/** A property of an object. */
export interface Property {
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** A schema with its references and its `allOf` resolved. */
export interface MergedSchema {
  /** Keywords such as `type`, `enum` and `description`. */
  readonly keywords: JsonObject;
  readonly properties: ReadonlyMap<string, Property>;
  /** Alternatives of `oneOf` and `anyOf`, without null; empty if there are fewer than two. */
  readonly variants: readonly MergedSchema[];
}

const EMPTY: MergedSchema = { keywords: {}, properties: new Map(), variants: [] };

/** Resolves a schema. A part that is nested too deeply, or contains itself, has no keywords. */
export function mergeSchema(references: References, schema: Json | undefined): MergedSchema {
  return new Merge(references).merge(schema, []);
}

class Merge {
  #parts = 0;

  constructor(private readonly references: References) {}

  /** @param above schemas that contain this one */
  merge(schema: Json | undefined, above: readonly JsonObject[]): MergedSchema {
    const own = this.references.resolve(schema);
    this.#parts += 1;
    const isTooMuch = above.length > MAX_DEPTH || this.#parts > MAX_PARTS || !this.references.countSchema();
    if (own === undefined || isTooMuch || above.includes(own)) return EMPTY;
    const inside = [...above, own];
    const parts = listField(own, 'allOf').map((part) => this.merge(part, inside));
    const { allOf: _all, oneOf: _one, anyOf: _any, properties: _properties, required: _required, ...keywords } = own;
    const whole = [...parts, { keywords, properties: propertiesOf(own), variants: [] }].reduce(both, EMPTY);
    const given = [...listField(own, 'oneOf'), ...listField(own, 'anyOf')].slice(0, MAX_VARIANTS);
    const variants = given.filter((one) => !isNull(one)).map((one) => this.merge(one, inside));
    const required = new Set(listField(own, 'required'));
    const combined =
      variants.length === 1 ? variants.reduce(both, whole) : { ...whole, variants: [...whole.variants, ...variants] };
    return { ...combined, properties: requiring(combined.properties, required) };
  }
}

const isNull = (schema: Json): boolean => isJsonObject(schema) && schema['type'] === 'null';

function propertiesOf(schema: JsonObject): Map<string, Property> {
  const entries = Object.entries(objectField(schema, 'properties') ?? {}).slice(0, MAX_PROPERTIES);
  return new Map(entries.map(([name, value]) => [name, { schema: value, isRequired: false }]));
}

/** `required` of a schema counts for properties of the parts that it combines, too. */
function requiring(properties: ReadonlyMap<string, Property>, names: ReadonlySet<Json>): Map<string, Property> {
  const entries = [...properties].slice(0, MAX_PROPERTIES);
  return new Map(
    entries.map(([name, { schema, isRequired }]) => [name, { schema, isRequired: isRequired || names.has(name) }]),
  );
}

/** A schema for values that both describe. The keywords of the second one win. */
function both(one: MergedSchema, other: MergedSchema): MergedSchema {
  const properties = new Map(one.properties);
  for (const [name, { schema, isRequired }] of other.properties)
    properties.set(name, { schema, isRequired: isRequired || properties.get(name)?.isRequired === true });
  return {
    keywords: { ...one.keywords, ...other.keywords },
    properties,
    variants: [...one.variants, ...other.variants].slice(0, MAX_VARIANTS),
  };
}

/** The properties of an object or of all its alternatives. One is required if every alternative requires it. */
export function allProperties({ properties, variants }: MergedSchema): ReadonlyMap<string, Property> {
  const found = new Map(properties);
  for (const variant of variants)
    for (const [name, { schema }] of variant.properties)
      if (!found.has(name) && found.size < MAX_PROPERTIES) {
        const isRequired = variants.every((one) => one.properties.get(name)?.isRequired === true);
        found.set(name, { schema, isRequired });
      }
  return found;
}
