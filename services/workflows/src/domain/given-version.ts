import { createHash } from 'node:crypto';
import { checkShape, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { InvalidRequest } from '@weft/service-kit/errors';
import { JSON_LIMITS, parseJson } from '@weft/service-kit/json';
import { PayloadTooLarge } from './errors';
import type { VersionStore, WorkflowHead } from './ports';
import { resolveTypeVersions } from './type-version-defaults';
import { fromNow, GIVEN_KEPT_MS, USE_NOTED_MS } from './version-retention';
import type { Version } from './workflow';

/** Definitions that nobody stored often have no name, and nodes without ids. */
const completed = (value: Json): Json => {
  if (!isJsonObject(value)) return value;
  const { nodes } = value;
  const withId = (node: Json): Json =>
    isJsonObject(node) && typeof node['name'] === 'string' ? { id: node['name'], ...node } : node;
  return { name: '', ...value, ...(Array.isArray(nodes) ? { nodes: nodes.map(withId) } : {}) };
};

const readGiven = (definition: Buffer): JsonObject => {
  if (definition.length > JSON_LIMITS.maxBytes)
    throw new PayloadTooLarge(`The workflow has more than ${JSON_LIMITS.maxBytes} bytes.`);
  const value = completed(parseJson(definition));
  const faults = checkShape(value).map(({ field, message }) => ({ field: field, message }));
  const [first] = faults;
  if (!isJsonObject(value) || first !== undefined)
    throw new InvalidRequest(`The workflow that was given cannot run: ${first?.message ?? ''}`, faults);
  return value;
};

/** The same text under the same workflow has the same id: however often it is given, it is stored once. */
const idOf = (definition: Buffer, { id, ownerId }: WorkflowHead): string => {
  const hex = createHash('sha256').update(`${id} ${ownerId} `).update(definition).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * Keeps a definition that came with a start as a version of the workflow that it is started for. It never becomes the
 * current one, and stays while it is used.
 * @returns its id
 * @throws InvalidRequest, PayloadTooLarge, Unavailable
 */
export const keepGivenVersion = async (
  definition: Buffer,
  head: WorkflowHead,
  versions: Pick<VersionStore, 'insert' | 'keepUsed'>,
): Promise<string> => {
  const id = idOf(definition, head);
  const isKept = (): Promise<boolean> => versions.keepUsed(id, fromNow(GIVEN_KEPT_MS), USE_NOTED_MS);
  if (await isKept()) return id;
  const value = readGiven(definition);
  const version: Version = {
    id,
    workflowId: head.id,
    ownerId: head.ownerId,
    definition: JSON.stringify(value),
    typeVersions: resolveTypeVersions(value),
    createdAt: new Date(),
  };
  try {
    await versions.insert(version, fromNow(GIVEN_KEPT_MS));
  } catch (error) {
    // Somebody else may have kept it at the same time.
    if (!(await isKept())) throw error;
  }
  return id;
};
