import { NOT_MODIFIED, dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { cacheHeaders, knownTag } from './catalogue-tag';

/** GET /node-types/:kind, an addition: one node kind, by its name or by a node type such as `n8n-nodes-base.set`. */
export const getNodeType: ApiHandler = async ({ id, principal, headers }, { workflows }) => {
  const { nodeType, tag } = await workflows.calls.getNodeType({ kind: id }, { principal });
  if (knownTag(headers) === tag) return { ...NOT_MODIFIED, headers: cacheHeaders(tag) };
  return dataAnswer(nodeType?.descriptorJson ?? 'null', { status: 200, headers: cacheHeaders(tag) });
};
