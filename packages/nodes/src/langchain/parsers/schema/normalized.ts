import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';

/** Keywords with which a schema says more about an object than its properties. */
const OPEN = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'patternProperties', 'dependentSchemas'];

/**
 * A value without the fields that its schema does not name, and with the defaults of absent fields: the result of n8n.
 * Objects whose schema allows further fields, or combines schemas, keep all of them.
 */
export function normalized(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return isJsonObject(items) ? value.map((entry) => normalized(entry, items)) : value;
  }
  return isJsonObject(value) && isJsonObject(schema['properties'])
    ? objectOf(value, schema, schema['properties'])
    : value;
}

/** Fields in the order of the schema, then those that it does not name. */
function objectOf(value: JsonObject, schema: JsonObject, properties: JsonObject): JsonObject {
  const isOpen = schema['additionalProperties'] !== undefined || OPEN.some((name) => schema[name] !== undefined);
  const named = Object.entries(properties).flatMap(([name, one]): [string, Json][] => {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    if (inner !== undefined) return [[name, normalized(inner, one)]];
    return isJsonObject(one) && one['default'] !== undefined ? [[name, one['default']]] : [];
  });
  const further = Object.entries(value).filter(([name]) => isOpen && !Object.hasOwn(properties, name));
  return Object.fromEntries([...named, ...further]);
}
