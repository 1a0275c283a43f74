import type { NodeTypes } from '../domain/node-types';
import type { Methods } from './methods';

/** GetNodeType over gRPC. */
export const handleGetNodeType =
  ({ one, tag }: NodeTypes): Methods['getNodeType'] =>
  async ({ kind }) => ({ tag, nodeType: one(kind) });
