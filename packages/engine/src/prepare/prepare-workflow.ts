import {
  attachmentsOf,
  type AttachmentType,
  kindNameOf,
  type KindTable,
  linksOf,
  type NodeDefinition,
  versionOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import type { NodeExecutor, NodeRegistry, NodeShape } from '../node/node';
import { nodeOptionsOf } from '../run/node-options';
import type { NodeOptions } from '../run/node-options';
import { PreparedParameters } from './prepared-parameters';

/** A node that an output leads to. */
export interface Successor {
  readonly node: string;
  readonly input: number;
  /** The output it hangs on. */
  readonly output: number;
}

/** A sub-node of a node. */
export interface PreparedAttachment {
  readonly node: string;
  /** Input of its type that it is attached to, from 0. */
  readonly port: number;
}

/** A node made ready to run: everything that does not change from run to run. */
export interface PreparedNode {
  readonly definition: NodeDefinition;
  readonly name: string;
  /** Name of its kind, known or not; undefined for text that is not a type. */
  readonly kind: string | undefined;
  /** Executor of a kind that belongs to the definition; undefined: that of the registry. */
  readonly executor: NodeExecutor | undefined;
  readonly version: number;
  readonly options: NodeOptions;
  readonly parameters: PreparedParameters;
  /** Outputs that the catalogue lists for the kind. */
  readonly outputCount: number;
  /** Wired inputs: one more than the highest input a link leads to. 0 for a node nothing leads to. */
  readonly inputCount: number;
  /** All nodes this one leads to, whatever the output, in the order in which their branches are to run. */
  readonly successors: readonly Successor[];
  /** By input: the nodes and outputs that lead there. */
  readonly feeds: readonly { readonly node: string; readonly output: number }[];
  /** Its sub-nodes by type of connection, in the order of their links; undefined if it has none. */
  readonly attachments: ReadonlyMap<AttachmentType, readonly PreparedAttachment[]> | undefined;
}

/** A version of a workflow made ready to run, for any number of runs at the same time. Immutable. */
export interface PreparedWorkflow {
  readonly definition: WorkflowDefinition;
  readonly nodes: ReadonlyMap<string, PreparedNode>;
}

/**
 * Prepares a definition. Costs in proportion to its size; parameters are compiled later, when a run asks for them.
 * @param kinds where versions, defaults and outputs come from; a node of another kind has the parameters it states
 * @param executors of kinds that belong to the definition and are not in the registry
 */
export function prepareWorkflow(
  definition: WorkflowDefinition,
  kinds: KindTable,
  executors?: NodeRegistry,
): PreparedWorkflow {
  const places = new Map(definition.nodes.map((node) => [node.name, node.position]));
  const outgoing = new Map<string, Successor[]>();
  const incoming = new Map<string, { node: string; output: number }[]>();
  const inputCounts = new Map<string, number>();
  for (const link of linksOf(definition)) {
    listOf(outgoing, link.from).push({ node: link.to, input: link.input, output: link.output });
    listOf(incoming, link.to).push({ node: link.from, output: link.output });
    inputCounts.set(link.to, Math.max(inputCounts.get(link.to) ?? 0, link.input + 1));
  }
  const attachments = new Map<string, Map<AttachmentType, PreparedAttachment[]>>();
  for (const { type, from, to, port } of attachmentsOf(definition)) {
    const ofNode = attachments.get(to) ?? new Map<AttachmentType, PreparedAttachment[]>();
    attachments.set(to, ofNode);
    listOf(ofNode, type).push({ node: from, port });
  }
  const nodes = definition.nodes.map((node): [string, PreparedNode] => {
    const kind = kindNameOf(node.type);
    const descriptor = kind === undefined ? undefined : kinds.get(kind);
    const version = descriptor === undefined ? (node.typeVersion ?? 1) : versionOf(node, descriptor);
    return [
      node.name,
      {
        definition: node,
        name: node.name,
        kind,
        executor: kind === undefined ? undefined : executors?.get(kind),
        version,
        options: nodeOptionsOf(node),
        parameters: new PreparedParameters(node.parameters, descriptor, version),
        outputCount: descriptor?.outputs.length ?? 1,
        inputCount: inputCounts.get(node.name) ?? 0,
        successors: inCanvasOrder(outgoing.get(node.name) ?? [], places),
        feeds: incoming.get(node.name) ?? [],
        attachments: attachments.get(node.name),
      },
    ];
  });
  return { definition, nodes: new Map(nodes) };
}

/** The facts of a node that its kind may be asked about before any item exists. */
export function shapeOf({ version, parameters }: PreparedNode): NodeShape {
  return { version, rawParameter: (path) => parameters.raw(path) };
}

/** The executor of a node; undefined for an unknown kind. */
export function executorFor({ executor, kind }: PreparedNode, registry: NodeRegistry): NodeExecutor | undefined {
  return executor ?? (kind === undefined ? undefined : registry.get(kind));
}

/**
 * Higher on the canvas first, then further left. Links that lead to the same place run in the reverse of the order
 * listed, the last output first: each is put in front of the queue.
 */
function inCanvasOrder(
  successors: readonly Successor[],
  places: ReadonlyMap<string, readonly [number, number]>,
): Successor[] {
  const place = (one: Successor): readonly [number, number] => places.get(one.node) ?? [0, 0];
  return successors.toReversed().sort((a, b) => place(a)[1] - place(b)[1] || place(a)[0] - place(b)[0]);
}

function listOf<Key, T>(lists: Map<Key, T[]>, key: Key): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
