import { createHash } from 'node:crypto';
import type { NodeType } from '@weft/proto/workflows';
import { kindOf } from '@weft/node-catalogue';
import { describeKind, insteadOf, KIND_TABLE } from '@weft/nodes/descriptors';
import { NodeTypeNotFound } from '../errors';

/** The catalogue as JSON, serialised once per process, when it is first requested. */
export interface NodeTypes {
  /** Every kind, by name. */
  readonly all: readonly NodeType[];
  /** Changes with any descriptor. */
  readonly tag: string;
  /** One kind, by its name or an equivalent node type. @throws NodeTypeNotFound */
  readonly one: (kindOrType: string) => NodeType;
}

interface Catalogue {
  readonly all: readonly NodeType[];
  readonly tag: string;
}

export const createNodeTypes = (): NodeTypes => {
  let made: Catalogue | undefined;
  const catalogue = (): Catalogue => (made ??= readCatalogue());
  return {
    get all() {
      return catalogue().all;
    },
    get tag() {
      return catalogue().tag;
    },
    one: (kindOrType) => {
      const kind = kindOf(kindOrType) ?? kindOrType;
      const descriptor = describeKind(kind);
      if (descriptor === undefined)
        throw new NodeTypeNotFound(
          kindOrType,
          insteadOf(kindOrType.includes('.') ? kindOrType : `n8n-nodes-base.${kind}`, KIND_TABLE.keys()),
        );
      return { kind, descriptor: Buffer.from(JSON.stringify(descriptor)) };
    },
  };
};

const readCatalogue = (): Catalogue => {
  const all = [...KIND_TABLE].map(([kind, descriptor]) => ({
    kind,
    descriptor: Buffer.from(JSON.stringify(descriptor)),
  }));
  const hash = createHash('sha256');
  for (const { descriptor } of all) hash.update(descriptor).update('\n');
  return { all, tag: hash.digest('hex').slice(0, 32) };
};
