import { createHash } from 'node:crypto';
import {
  checkShape,
  isJsonObject,
  withoutPinnedApps,
  type Json,
  type JsonObject,
  type PinnedApp,
} from '@weft/node-catalogue';
import { InvalidRequest } from '@weft/service-kit/errors';
import { JSON_LIMITS, readInTurns } from '@weft/service-kit/json';
import { PayloadTooLarge } from '../errors';
import type { VersionStore, WorkflowHead } from '../ports';
import { resolveTypeVersions, withPins } from './type-version-defaults';
import { fromNow, INLINE_RETENTION_MS, USE_RECORD_MS } from '../versions/version-retention';
import type { DefinitionJson, Version } from '../workflows/workflow';

/** Inline definitions often lack a name, and their nodes lack ids. */
const complete = (value: Json): Json => {
  if (!isJsonObject(value)) return value;
  const { nodes } = value;
  const withId = (node: Json): Json =>
    isJsonObject(node) && typeof node['name'] === 'string' ? { id: node['name'], ...node } : node;
  return { name: '', ...withoutPinnedApps(value), ...(Array.isArray(nodes) ? { nodes: nodes.map(withId) } : {}) };
};

const parseInlineDefinition = (definition: Buffer, { id, ownerId }: WorkflowHead): Promise<JsonObject> => {
  if (definition.length > JSON_LIMITS.maxBytes)
    throw new PayloadTooLarge(`The workflow has more than ${JSON_LIMITS.maxBytes} bytes.`);
  return readInTurns(definition, { ownerId, workflowId: id }, JSON_LIMITS, (sent) => {
    const value = complete(sent);
    const errors = checkShape(value).map(({ field, message }) => ({ field, message }));
    const [first] = errors;
    if (!isJsonObject(value) || first !== undefined)
      throw new InvalidRequest(`The inline definition is not valid: ${first?.message ?? ''}`, errors);
    return value;
  });
};

/** User-defined apps for an inline definition. */
export interface InlineApps {
  /** Changes if the definition would use other revisions; empty: it uses none. */
  readonly key: string;
  readonly pin: (definition: DefinitionJson) => Promise<readonly PinnedApp[]>;
}

/** The same definition with the same apps for the same workflow has the same id, so it is stored only once. */
const idOf = (definition: Buffer, { id, ownerId }: WorkflowHead, { key }: InlineApps): string => {
  const hex = createHash('sha256')
    .update(`${id} ${ownerId} ${key === '' ? '' : `${key} `}`)
    .update(definition)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * Stores a definition that was sent with a start as a version of the workflow. It never becomes the current version,
 * and is retained while it is used.
 * @returns the version's id
 * @throws InvalidRequest, PayloadTooLarge, Unavailable
 */
export const storeInlineDefinition = async (
  definition: Buffer,
  head: WorkflowHead,
  apps: InlineApps,
  versions: Pick<VersionStore, 'insert' | 'recordUse'>,
): Promise<string> => {
  const id = idOf(definition, head, apps);
  const recordUse = (): Promise<boolean> => versions.recordUse(id, fromNow(INLINE_RETENTION_MS), USE_RECORD_MS);
  if (await recordUse()) return id;
  const value = await parseInlineDefinition(definition, head);
  const pins = await apps.pin(value);
  const version: Version = {
    id,
    workflowId: head.id,
    ownerId: head.ownerId,
    definition: JSON.stringify(value),
    typeVersions: resolveTypeVersions(value, pins),
    ...withPins(pins),
    credentialIds: [],
    createdAt: new Date(),
  };
  try {
    await versions.insert(version, fromNow(INLINE_RETENTION_MS));
  } catch (error) {
    // Another start may have stored it at the same time.
    if (!(await recordUse())) throw error;
  }
  return id;
};
