import type { NodeType } from '@weft/client';
import { kindNameOf, readKind, toolBaseOf, toolVariantOf } from '@weft/node-catalogue/definitions';

/** Node types of the server by kind. */
export type NodeTypes = ReadonlyMap<string, NodeType>;

const tools = new WeakMap<NodeType, NodeType>();

/** A kind as the tool of its name; undefined for a kind that models cannot call. */
const toolOf = (base: NodeType): NodeType | undefined => {
  const known = tools.get(base);
  if (known !== undefined || base.usableAsTool === undefined) return known;
  const kind = readKind(base);
  const variant = kind === undefined ? undefined : toolVariantOf(kind);
  if (variant === undefined) return undefined;
  const { kind: name, label, versions, provides } = variant;
  const { usableAsTool: _use, ports: _ports, ...rest } = base;
  const tool: NodeType = {
    ...rest,
    kind: name,
    label,
    versions: [...versions],
    inputs: [],
    outputs: [],
    provides: (provides ?? []).map((one) => ({ ...one })),
    toolOf: base.kind,
  };
  tools.set(base, tool);
  return tool;
};

/** The type of a kind, tools of kinds included, which the server does not list: `slackTool` is made from `slack`. */
export const typeOfKind = (types: NodeTypes | undefined, kind: string): NodeType | undefined => {
  const listed = types?.get(kind);
  if (listed !== undefined) return listed;
  const base = types?.get(toolBaseOf(kind) ?? '');
  return base === undefined ? undefined : toolOf(base);
};

/** The name of a node type's kind; the type itself, which may be any text, if it has none. */
export const kindOfNode = (type: string): string => kindNameOf(type) ?? type;

/** The kind of a node's type; undefined for an unknown one. */
export const typeOfNode = (types: NodeTypes | undefined, type: string): NodeType | undefined =>
  typeOfKind(types, kindOfNode(type));
