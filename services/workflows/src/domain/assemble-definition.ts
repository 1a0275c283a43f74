import { checkShape, MAX_FIELD_ERRORS, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { JSON_LIMITS, parseJson } from '@weft/service-kit/json';
import { PayloadTooLarge } from './errors';
import type { DefinitionJson, DefinitionParts, NodeParts } from './workflow';

/** Fields that the service itself gives a workflow; what a caller sends back under these names is not kept. */
const SERVICE_FIELDS: readonly string[] = ['id', 'active', 'createdAt', 'updatedAt'];
const WORKFLOW_FIELDS: readonly string[] = ['name', 'nodes', 'connections', 'settings'];
const NODE_FIELDS: readonly string[] = ['id', 'name', 'type', 'position', 'parameters'];

const bytesOf = (parts: DefinitionParts): number =>
  [
    parts.name,
    parts.connectionsJson,
    parts.settingsJson,
    parts.extraJson,
    ...parts.nodes.flatMap((node) => [node.id, node.name, node.type, node.parametersJson, node.extraJson]),
  ].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Parses one part; faults carry the place of the part. */
const parsePart = (text: string, field: string): Json => {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidRequest(
      error.message,
      error.fields.map((fault) => ({ field, message: fault.message })),
    );
  }
};

/** The fields beyond the named ones. @throws InvalidRequest if they are no object or repeat a named one. */
const parseExtra = (text: string, field: string, named: readonly string[]): JsonObject => {
  const extra = text === '' ? {} : parsePart(text, field);
  if (!isJsonObject(extra))
    throw new InvalidRequest('The workflow cannot be stored.', [{ field, message: 'Send a JSON object.' }]);
  const repeated = named.find((name) => Object.hasOwn(extra, name));
  if (repeated !== undefined) {
    throw new InvalidRequest('The workflow cannot be stored.', [
      { field, message: `\`${repeated}\` has a field of its own; leave it out here, or give it the right type.` },
    ]);
  }
  return extra;
};

const assembleNode = (node: NodeParts, index: number): JsonObject => {
  const path = `nodes[${index}]`;
  const extra = parseExtra(node.extraJson, path, NODE_FIELDS);
  if (!node.position.every(Number.isFinite)) {
    throw new InvalidRequest('The workflow cannot be stored.', [
      { field: `${path}.position`, message: 'Use two finite numbers.' },
    ]);
  }
  return {
    id: node.id === '' ? uuidv7() : node.id,
    name: node.name,
    type: node.type,
    ...(node.position.length === 0 ? {} : { position: [...node.position] }),
    ...(node.parametersJson === '' ? {} : { parameters: parsePart(node.parametersJson, `${path}.parameters`) }),
    ...extra,
  };
};

const ownExtra = (parts: DefinitionParts): JsonObject =>
  Object.fromEntries(
    Object.entries(parseExtra(parts.extraJson, 'extra_json', WORKFLOW_FIELDS)).filter(
      ([key]) => !SERVICE_FIELDS.includes(key),
    ),
  );

/**
 * Puts a definition together and checks its form: not what it means, only whether it can be kept. Nodes without an id
 * get one.
 * @throws PayloadTooLarge above 10 MB; InvalidRequest with a path for every fault.
 */
export const assembleDefinition = (parts: DefinitionParts): DefinitionJson => {
  if (bytesOf(parts) > JSON_LIMITS.maxBytes)
    throw new PayloadTooLarge(`The workflow has more than ${JSON_LIMITS.maxBytes} bytes.`);
  const definition: JsonObject = {
    name: parts.name,
    nodes: parts.nodes.map(assembleNode),
    ...(parts.connectionsJson === '' ? {} : { connections: parsePart(parts.connectionsJson, 'connections') }),
    ...(parts.settingsJson === '' ? {} : { settings: parsePart(parts.settingsJson, 'settings') }),
    ...ownExtra(parts),
  };
  const faults: FieldError[] = checkShape(definition)
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ field, message }) => ({ field: field, message }));
  const [first] = faults;
  if (first !== undefined) throw new InvalidRequest(`The workflow cannot be stored: ${first.message}`, faults);
  return definition;
};
