import type { NodeTypes } from '../domain/node-types';
import type { Methods } from './methods';

/** GetNodeType over gRPC. */
export const handleGetNodeType =
  ({ one, tag }: NodeTypes): Methods['getNodeType'] =>
  async ({ kind }) => {
    const view = one(kind);
    return { tag, nodeType: { kind: view.kind, descriptorJson: view.json } };
  };
