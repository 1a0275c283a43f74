import { NodeFailure } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { runToEnd, walkJson } from '@weft/service-kit/json';

/** Limits on JSON Schemas and examples of users. */
export const SCHEMA_LIMITS = { bytes: 65_536, depth: 40 } as const;

/** Where a value comes from, for messages: the parameter, and the item that it was read for. */
export interface SchemaPlace {
  /** Label of the parameter. */
  readonly field: string;
  /** Name of the node. */
  readonly node: string;
  readonly itemIndex: number;
}

/**
 * A parameter that holds JSON, as text or as a value.
 * @throws NodeFailure that names the field for text that is not JSON, and beyond the limits
 */
export function jsonParameterOf(value: unknown, place: SchemaPlace): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  if (text === undefined || text.trim() === '' || text === '""')
    throw refused(place, 'is empty', 'Enter JSON in this field.');
  const bytes = Buffer.byteLength(text);
  if (bytes > SCHEMA_LIMITS.bytes)
    throw refused(place, `has ${bytes} bytes; at most ${SCHEMA_LIMITS.bytes} are allowed`, 'Make it smaller.');
  const json = parse(text, place);
  const tooDeep = (): never => {
    throw refused(place, `is nested deeper than ${SCHEMA_LIMITS.depth} levels`, 'Make it flatter.');
  };
  const proto = (): never => {
    throw refused(place, 'has a key "__proto__"', 'Use another name.');
  };
  runToEnd(walkJson(json, { maxDepth: SCHEMA_LIMITS.depth, onTooDeep: tooDeep, onProto: proto }));
  return json;
}

/** A parameter that holds a JSON Schema. @throws NodeFailure that names the field */
export function schemaParameterOf(value: unknown, place: SchemaPlace): JsonObject {
  const json = jsonParameterOf(value, place);
  if (isJsonObject(json)) return json;
  throw refused(place, 'is not a JSON Schema', 'Enter an object such as {"type": "object", "properties": {}}.');
}

/** The failure for a schema or an example that cannot be used. */
export function refused({ field, node, itemIndex }: SchemaPlace, fault: string, advice: string): NodeFailure {
  return new NodeFailure(`The field "${field}" of "${node}" ${fault}`, { itemIndex, description: advice });
}

function parse(text: string, place: SchemaPlace): Json {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message.slice(0, 200) : '';
    throw refused(place, 'is not valid JSON', detail);
  }
}
