import type { IncomingHttpHeaders } from 'node:http';
import { revalidated } from '../../http/entity-tags';
import { dataAnswer, NOT_MODIFIED } from '../../middleware/responses/write-answer';
import { ANY_OBJECT, BOOLEAN, component, described, listOf, record, type Schema, TEXT } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';

/** A descriptor, as written by packages/nodes. */
export const NODE_TYPE: Schema = component('NodeType', {
  ...record(
    {
      kind: TEXT,
      label: TEXT,
      description: TEXT,
      versions: listOf({ type: 'number' }),
      groups: listOf(TEXT),
      isTrigger: BOOLEAN,
      inputs: listOf(TEXT),
      outputs: listOf(TEXT),
      credentials: listOf(ANY_OBJECT),
      parameters: described(
        'Name, label, type, default, options and conditions; `editor`, `reference` and `placeholder` are for forms.',
        listOf(ANY_OBJECT),
      ),
    },
    {
      differs: listOf(TEXT),
      ports: listOf(ANY_OBJECT),
      neverRuns: BOOLEAN,
      provides: described('Types of connections to nodes that use this one.', listOf(ANY_OBJECT)),
      accepts: described('Types of connections from nodes that this one uses.', listOf(ANY_OBJECT)),
      usableAsTool: described(
        'Models can call the kind as a tool, of the type with `Tool` at its end. `since` and `until`: its versions; ' +
          '`parameters`: those that only the tool has.',
        ANY_OBJECT,
      ),
      toolOf: described('The kind that this one is the tool of.', TEXT),
    },
  ),
});

const TAG = /^(?:W\/)?"([0-9a-f]{1,64})"$/;

/** The catalogue tag in If-None-Match; empty if there is none, or several. */
export const knownTag = (headers: IncomingHttpHeaders): string => TAG.exec(headers['if-none-match'] ?? '')?.[1] ?? '';

/**
 * GET /node-types, an addition: every node kind with its parameters, by name. 304 if If-None-Match has the current
 * ETag.
 */
export const listNodeTypes: ApiHandler = async ({ principal, headers }, { workflows }) => {
  const known = knownTag(headers);
  const { nodeTypes, tag } = await workflows.calls.listNodeTypes({ knownTag: known }, { principal });
  if (known !== '' && known === tag) return { ...NOT_MODIFIED, headers: revalidated(tag) };
  return dataAnswer(`[${nodeTypes.map(({ descriptor }) => descriptor.toString()).join(',')}]`, {
    status: 200,
    headers: revalidated(tag),
  });
};

/** GET /node-types/:kind, an addition: one node kind, by its name or by a node type such as `n8n-nodes-base.set`. */
export const getNodeType: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const { nodeType, tag } = await workflows.calls.getNodeType({ kind: id }, { principal });
  if (knownTag(headers) === tag) return { ...NOT_MODIFIED, headers: revalidated(tag) };
  return dataAnswer(nodeType?.descriptor.toString() ?? 'null', { status: 200, headers: revalidated(tag) });
};
