import { createHash } from 'node:crypto';
import type { NodeType } from '@weft/proto/workflows';
import { kindOf } from '@weft/node-catalogue';
import { describeKind, insteadOf, KIND_TABLE, KINDS } from '@weft/nodes/descriptors';
import { NodeTypeNotFound } from '../errors';

/** The catalogue as JSON, serialised once per process. */
export interface NodeTypes {
  /** Every kind, by name. */
  readonly all: readonly NodeType[];
  /** Changes with any descriptor. */
  readonly tag: string;
  /** One kind, by its name or an equivalent node type. @throws NodeTypeNotFound */
  readonly one: (kindOrType: string) => NodeType;
}

export const createNodeTypes = (): NodeTypes => {
  const all = KINDS.map((descriptor) => ({
    kind: descriptor.kind,
    descriptor: Buffer.from(JSON.stringify(descriptor)),
  }));
  const byKind = new Map(all.map((view) => [view.kind, view]));
  const tag = createHash('sha256')
    .update(all.map(({ descriptor }) => descriptor.toString()).join('\n'))
    .digest('hex')
    .slice(0, 32);
  return {
    all,
    tag,
    one: (kindOrType) => {
      const kind = kindOf(kindOrType) ?? kindOrType;
      const view = describeKind(kind) === undefined ? undefined : byKind.get(kind);
      if (view === undefined)
        throw new NodeTypeNotFound(
          kindOrType,
          insteadOf(kindOrType.includes('.') ? kindOrType : `n8n-nodes-base.${kind}`, KIND_TABLE.keys()),
        );
      return view;
    },
  };
};
