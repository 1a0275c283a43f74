import type { LanguageModel } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject, listField } from '@weft/node-catalogue';
import type { ChatCall } from '@weft/models';

/** Keywords that all services with a schema mode understand. */
const PORTABLE = ['$schema', 'additionalProperties', 'anyOf', 'description', 'enum', 'items', 'properties', 'required'];
const PORTABLE_VALUES = ['title', 'type'];

/**
 * The part of a call that makes the service enforce a schema; empty if the model cannot, or if services understand the
 * schema differently: the prompt must describe the form then.
 */
export function answerSchemaFor(
  model: Pick<LanguageModel, 'enforcesSchema'>,
  schema: JsonObject | undefined,
): Pick<ChatCall, 'schema'> {
  if (!model.enforcesSchema || schema === undefined || schema['type'] !== 'object' || !isPortable(schema)) return {};
  const { $schema: _draft, ...rest } = schema;
  return {
    schema: { name: 'answer', ...(isClosed(rest) ? { schema: closed(rest), strict: true } : { schema: rest }) },
  };
}

function isPortable(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  return (
    Object.keys(schema).every((name) => PORTABLE.includes(name) || PORTABLE_VALUES.includes(name)) &&
    (schema['additionalProperties'] === undefined || schema['additionalProperties'] === false) &&
    partsOf(schema).every(isPortable)
  );
}

/** True if every object has all of its fields and no others: what services need to enforce a schema strictly. */
function isClosed(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  if (!partsOf(schema).every(isClosed)) return false;
  if (schema['type'] !== 'object') return true;
  const { properties } = schema;
  const required = listField(schema, 'required');
  return isJsonObject(properties) && Object.keys(properties).every((name) => required.includes(name));
}

/** A schema whose objects allow no other fields. */
function closed(schema: Json): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(schema['type'] === 'object' ? { additionalProperties: false } : {}),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])) }
      : {}),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(closed) } : {}),
  };
}

/** Schemas directly within a schema of portable keywords. */
function partsOf({ properties, items, anyOf }: JsonObject): Json[] {
  return [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
}
