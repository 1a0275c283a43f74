import type { NodeTypes } from '../domain/node-types';
import type { Methods } from './methods';

/** ListNodeTypes over gRPC: nothing but the tag for callers that have the present catalogue. */
export const handleListNodeTypes =
  ({ all, tag }: NodeTypes): Methods['listNodeTypes'] =>
  async ({ knownTag }) => ({
    tag,
    nodeTypes: knownTag === tag ? [] : [...all],
  });
