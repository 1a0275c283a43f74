import { NOT_MODIFIED, dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { cacheHeaders, knownTag } from './catalogue-tag';

/**
 * GET /node-types, an addition: every node kind with its parameters, by name. With the ETag it gave before as
 * If-None-Match: 304.
 */
export const listNodeTypes: ApiHandler = async ({ principal, headers }, { workflows }) => {
  const known = knownTag(headers);
  const { nodeTypes, tag } = await workflows.calls.listNodeTypes({ knownTag: known }, { principal });
  if (known !== '' && known === tag) return { ...NOT_MODIFIED, headers: cacheHeaders(tag) };
  return dataAnswer(`[${nodeTypes.map(({ descriptorJson }) => descriptorJson).join(',')}]`, {
    status: 200,
    headers: cacheHeaders(tag),
  });
};
