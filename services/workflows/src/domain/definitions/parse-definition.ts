import {
  checkShape,
  completeConnections,
  isJsonObject,
  MAX_FIELD_ERRORS,
  misspeltConnections,
  withoutPinnedApps,
  type Json,
  type JsonObject,
} from '@weft/node-catalogue';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { JSON_LIMITS, readInTurns, withoutBom } from '@weft/service-kit/json';
import { PayloadTooLarge } from '../errors';
import type { DefinitionJson } from '../workflows/workflow';

export interface ParsedDefinition {
  readonly name: string;
  readonly value: DefinitionJson;
  /** The id that was sent, which is not part of the definition; absent if it cannot be one of this instance. */
  readonly sentId?: string;
  /** The text as it was sent, unless fields were added or removed. */
  readonly text: string;
}

/**
 * Fields that are part of workflow responses or of a creation, but not of a definition. They are ignored, so that a
 * response can be sent back.
 */
const SERVICE_FIELDS: readonly string[] = ['id', 'active', 'createdAt', 'updatedAt', 'projectId'];

/** Name of a workflow that has none, such as one copied from n8n's editor; n8n gives it the same. */
const DEFAULT_NAME = 'My workflow';

/** The error for invalid JSON names the field of the request. */
const namedError = (error: unknown): never => {
  if (!(error instanceof InvalidRequest)) throw error;
  throw new InvalidRequest(
    error.message,
    error.fields.map(({ message }) => ({ field: 'definition', message })),
  );
};

/** The node with all fields that the REST contract shows, unchanged if it has them. */
const completeNode = (node: Json): Json => {
  if (!isJsonObject(node)) return node;
  const { id, position, parameters } = node;
  const hasId = id !== undefined && id !== '';
  const hasPosition = position !== undefined && !(Array.isArray(position) && position.length === 0);
  if (hasId && hasPosition && parameters !== undefined) return node;
  return {
    ...node,
    ...(hasId ? {} : { id: uuidv7() }),
    ...(hasPosition ? {} : { position: [0, 0] }),
    ...(parameters === undefined ? { parameters: {} } : {}),
  };
};

const completeNodes = (nodes: readonly Json[]): Json[] | undefined => {
  const completed = nodes.map(completeNode);
  return completed.some((node, index) => node !== nodes[index]) ? completed : undefined;
};

/** The workflow with all fields that the REST contract shows and without the service's fields, unchanged if it fits. */
const complete = (given: JsonObject): JsonObject => {
  const sent = withoutPinnedApps(given);
  const nodes = Array.isArray(sent['nodes']) ? completeNodes(sent['nodes']) : undefined;
  const { connections: links = misspeltConnections(sent) === undefined ? {} : undefined } = sent;
  const connections = isJsonObject(links) ? completeConnections(links) : links;
  const added: JsonObject = {
    ...(sent['name'] === undefined ? { name: DEFAULT_NAME } : {}),
    ...(nodes === undefined ? {} : { nodes }),
    ...(connections === undefined || connections === sent['connections'] ? {} : { connections }),
    ...(sent['settings'] === undefined || sent['settings'] === null ? { settings: {} } : {}),
  };
  const hasServiceFields = SERVICE_FIELDS.some((name) => Object.hasOwn(sent, name));
  if (!hasServiceFields && Object.keys(added).length === 0) return sent;
  const own = hasServiceFields
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !SERVICE_FIELDS.includes(name)))
    : sent;
  return { ...own, ...added };
};

/** Errors that the catalogue's shape check does not cover: ids. */
const nodeErrors = (node: Json, index: number): FieldError[] =>
  isJsonObject(node) && typeof node['id'] !== 'string'
    ? [{ field: `nodes[${index}].id`, message: `\`nodes[${index}].id\` must be a string.` }]
    : [];

const shapeErrors = (value: Json): FieldError[] => {
  const errors: FieldError[] = checkShape(value).map(({ field, message }) => ({ field, message }));
  const nodes = isJsonObject(value) && Array.isArray(value['nodes']) ? value['nodes'] : [];
  return [...errors, ...nodes.flatMap(nodeErrors)].slice(0, MAX_FIELD_ERRORS);
};

const checkSize = (bytes: number): void => {
  if (bytes > JSON_LIMITS.maxBytes)
    throw new PayloadTooLarge(`The workflow has more than ${JSON_LIMITS.maxBytes} bytes.`);
};

/** Checks the definition sent as `bytes`, and adds missing fields. */
const check = (sent: Json, bytes: Buffer): ParsedDefinition => {
  const value = isJsonObject(sent) ? complete(sent) : sent;
  const errors = shapeErrors(value);
  const [first] = errors;
  if (!isJsonObject(value) || first !== undefined)
    throw new InvalidRequest(`The workflow cannot be stored: ${first?.message ?? ''}`, errors);
  const text = value === sent ? bytes.toString('utf8') : JSON.stringify(value);
  // Numbers such as 1e20 grow when serialized.
  checkSize(Buffer.byteLength(text));
  const { name } = value;
  const sentId = isJsonObject(sent) ? sent['id'] : undefined;
  return {
    name: typeof name === 'string' ? name : '',
    value,
    text,
    ...(typeof sentId === 'string' && isUuid(sentId) ? { sentId } : {}),
  };
};

/**
 * Parses a definition and checks its shape: whether it can be stored, not whether it can run. Nodes without an id get
 * one. A long definition is parsed in slices, so that one sender does not block the thread.
 * @throws PayloadTooLarge above 10 MB; InvalidRequest with a path for every error; Unsent
 */
export const parseDefinition = async (given: Buffer, senderId: string): Promise<ParsedDefinition> => {
  checkSize(given.length);
  const bytes = withoutBom(given);
  const keep = (sent: Json): Json => sent;
  const sent = await readInTurns(bytes, { ownerId: senderId, workflowId: '' }, JSON_LIMITS, keep).catch(namedError);
  return check(sent, bytes);
};
