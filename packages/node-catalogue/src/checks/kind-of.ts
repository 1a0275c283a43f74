import type { NodeDefinition } from '../definition';
import type { KindDescriptor, KindTable } from '../descriptor';

/** Kinds that older workflows name differently, with the same meaning and the same parameters. */
export const KIND_ALIASES: Readonly<Record<string, string>> = {
  start: 'manualTrigger',
};

const MODEL_TYPE = /^(?:@[a-z0-9-]+\/)?[A-Za-z][\w-]*-nodes-langchain\.([A-Za-z]\w*)$/;
const BASE_TYPE = /^[A-Za-z][\w-]*-nodes-base\.([A-Za-z]\w*)$/;

/**
 * The kind of a node type: `weft-nodes-base.set`, `n8n-nodes-base.set` and any other `<prefix>-nodes-base.set` are
 * `set`, and `@n8n/n8n-nodes-langchain.agent` is `langchain.agent`. Older names become the present one
 * (`KIND_ALIASES`). Undefined for types of other packages.
 */
export function kindOf(type: string): string | undefined {
  const kind = BASE_TYPE.exec(type)?.[1];
  if (kind === undefined) {
    const model = MODEL_TYPE.exec(type)?.[1];
    return model === undefined ? undefined : `langchain.${model}`;
  }
  return Object.hasOwn(KIND_ALIASES, kind) ? KIND_ALIASES[kind] : kind;
}

/** A node type of a kind: `n8n-nodes-base.set` of `set`. A kind that is named by its type has that one. */
export function typeOfKind(kind: string): string {
  if (kind.startsWith('langchain.')) return `@n8n/n8n-nodes-${kind}`;
  return kind.includes('.') ? kind : `n8n-nodes-base.${kind}`;
}

/**
 * The name of a node type's kind in a table of kinds: `kindOf`, or the whole type for types of other packages, which
 * user-defined apps provide. Undefined for text that is not a type.
 */
export function kindNameOf(type: string): string | undefined {
  return kindOf(type) ?? (type.includes('.') ? type : undefined);
}

/** The descriptor of a node's kind; undefined for an unknown kind. */
export function descriptorAmong({ type }: Pick<NodeDefinition, 'type'>, kinds: KindTable): KindDescriptor | undefined {
  const kind = kindNameOf(type);
  return kind === undefined ? undefined : kinds.get(kind);
}
