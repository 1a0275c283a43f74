import { type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { objectsParameter } from '../../../shared/read-parameter';

/** Attributes of a node, and characters of the name of one. */
const [MAX_ATTRIBUTES, MAX_NAME] = [200, 500];

/** The JSON Schema of the attributes of a node. Optional attributes may be null, which `withoutNulls` removes. */
export function schemaOfAttributes(context: NodeContext): JsonObject {
  const attributes = objectsParameter(context, 'attributes.attributes', 0);
  if (attributes.length === 0)
    throw new NodeFailure('At least one attribute must be specified', { description: 'Add one to "Attributes".' });
  if (attributes.length > MAX_ATTRIBUTES)
    throw new NodeFailure(
      `The field "Attributes" has ${attributes.length} entries; at most ${MAX_ATTRIBUTES} are allowed`,
    );
  const named = attributes.map((one, index) => ({ ...one, name: nameOf(one, index) }));
  const required = named.filter((one) => isRequired(one)).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((one) => [one.name, schemaOf(one)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Results without the fields that are null. */
export function withoutNulls(value: Json): Json {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) : value;
}

function nameOf({ name }: Record<string, unknown>, index: number): string {
  if (typeof name === 'string' && name.length > MAX_NAME)
    throw new NodeFailure(`The name of attribute ${index + 1} has more than ${MAX_NAME} characters`);
  if (typeof name === 'string' && name !== '' && name !== '__proto__') return name;
  throw new NodeFailure(`Attribute ${index + 1} has no name`, { description: 'Enter a name in "Attributes".' });
}

function isRequired({ required }: Record<string, unknown>): boolean {
  return required === true || required === 'true';
}

function schemaOf(attribute: Record<string, unknown>): JsonObject {
  const description = typeof attribute['description'] === 'string' ? attribute['description'] : '';
  const type = typeOf(attribute['type']);
  const isDate = attribute['type'] === 'date';
  return {
    ...(type === undefined ? {} : { type: isRequired(attribute) ? type : [type, 'null'] }),
    ...(isDate ? { format: 'date' } : {}),
    ...(description === '' ? {} : { description }),
  };
}

function typeOf(type: unknown): string | undefined {
  if (type === 'date' || type === undefined) return 'string';
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
}
