import {
  type AcceptedAttachment,
  acceptedBy,
  descriptorAmong,
  MAX_PORT_INDEX,
  portCountsOf,
  providedBy,
  type KindTable,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';

/** Size of a node on the canvas, in pixels. One with more than two ports on a side is higher. */
export const NODE_SIZE = { width: 208, height: 56 } as const;

/** Distance of ports, and thus the least size of a target for the pointer. */
const PORT_DISTANCE = 24;

/** Height of the row below a node's title with the labels of what is attached to it. */
const LABEL_ROW = 32;

/** Ports that a type has before links use more: a node with a fallback accepts two models. */
const MAX_ACCEPTED_PORTS = 2;

/** Coordinates beyond these cannot be drawn: some workflows have positions such as 1e300. */
const MAX_COORDINATE = 1e6;

/**
 * An input or output of a node. Ports of items are on the left and right; ports of sub-nodes are below the node that
 * uses them and above the sub-node.
 */
export interface Port {
  /** Type of its links; `main` carries items. */
  readonly type: string;
  readonly index: number;
  /** Such as `true`, `error` or `chat model`; undefined if the node has one output only. */
  readonly label?: string;
  /** True if any number of sub-nodes can be connected to it. */
  readonly isMany?: boolean;
  /** True if the node cannot run without a sub-node here. */
  readonly isRequired?: boolean;
  /** Offset in pixels from the corner of the node. */
  readonly x: number;
  readonly y: number;
}

/** A node as it is drawn. Nothing has to be measured. */
export interface NodeBox {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Height of the part with the title; less than `height` if labels of sub-nodes are below it. */
  readonly head: number;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

/**
 * Places all nodes of a workflow with their ports. Ports come from the kinds; so do those for sub-nodes, whether links
 * use them or not. Ports that links use beyond those are drawn as well. A node that is listed twice is drawn once.
 */
export function layOut(definition: WorkflowDefinition, kinds: KindTable): NodeBox[] {
  const used = usedPorts(definition);
  const drawn = new Map(definition.nodes.map((node) => [node.name, node]));
  return [...drawn.values()].map((node) => boxOf(node, kinds, used.get(node.name) ?? NO_PORTS));
}

interface UsedPorts {
  /** Highest index that a link uses, by type of connection. */
  readonly inputs: Map<string, number>;
  readonly outputs: Map<string, number>;
}

const NO_PORTS: UsedPorts = { inputs: new Map(), outputs: new Map() };

function usedPorts({ connections }: WorkflowDefinition): Map<string, UsedPorts> {
  const all = new Map<string, UsedPorts>();
  const of = (name: string): UsedPorts => {
    const known = all.get(name) ?? { inputs: new Map<string, number>(), outputs: new Map<string, number>() };
    all.set(name, known);
    return known;
  };
  const note = (ports: Map<string, number>, type: string, index: number): void => {
    ports.set(type, Math.max(ports.get(type) ?? 0, Math.min(Math.max(index, 0), MAX_PORT_INDEX)));
  };
  for (const [from, byType] of Object.entries(connections)) {
    for (const [type, outputs] of Object.entries(byType)) {
      outputs.forEach((ends, output) => {
        for (const end of ends) {
          note(of(from).outputs, type, output);
          note(of(end.node).inputs, end.type, end.index);
        }
      });
    }
  }
  return all;
}

function boxOf(node: NodeDefinition, kinds: KindTable, used: UsedPorts): NodeBox {
  const descriptor = descriptorAmong(node, kinds);
  const counts = descriptor === undefined ? { inputs: 1, outputs: 1 } : portCountsOf(node, descriptor);
  const mainInputs = mainPorts(counts.inputs, used.inputs, []);
  const mainOutputs = mainPorts(counts.outputs, used.outputs, outputLabels(node, descriptor?.outputs, counts.outputs));
  const below = acceptedPorts(descriptor === undefined ? [] : acceptedBy(node, descriptor), used.inputs);
  const above = providedPorts(descriptor === undefined ? [] : providedBy(node, descriptor), used.outputs);
  const head = Math.max(NODE_SIZE.height, PORT_DISTANCE * Math.max(mainInputs.length, mainOutputs.length) + 8);
  const height = below.length === 0 ? head : head + LABEL_ROW;
  const [x, y] = node.position;
  return {
    name: node.name,
    x: bounded(x),
    y: bounded(y),
    width: NODE_SIZE.width,
    height,
    head,
    inputs: [...inColumn(mainInputs, 0, head), ...inRow(below, height)],
    outputs: [...inColumn(mainOutputs, NODE_SIZE.width, head), ...inRow(above, 0)],
  };
}

type UnplacedPort = Omit<Port, 'x' | 'y'>;

function mainPorts(
  declared: number | undefined,
  used: ReadonlyMap<string, number>,
  labels: readonly string[],
): UnplacedPort[] {
  // A link to a port that the kind does not have is drawn, and reported as a problem.
  const count = Math.min(Math.max(declared ?? 1, (used.get('main') ?? -1) + 1), MAX_PORT_INDEX + 1);
  return Array.from({ length: count }, (_, index): UnplacedPort => {
    const label = labels[index];
    return { type: 'main', index, ...(label === undefined ? {} : { label }) };
  });
}

/** Ports for the sub-nodes that a node accepts, and for others that links lead to. */
function acceptedPorts(accepted: readonly AcceptedAttachment[], used: ReadonlyMap<string, number>): UnplacedPort[] {
  const byType = new Map<string, AcceptedAttachment>(accepted.map((one) => [one.type, one]));
  const types = new Set([...byType.keys(), ...otherTypes(used)]);
  return [...types].flatMap((type) => {
    const rule = byType.get(type);
    const declared = rule === undefined ? 0 : Math.min(rule.max ?? 1, MAX_ACCEPTED_PORTS);
    return Array.from({ length: Math.max(declared, (used.get(type) ?? -1) + 1) }, (_, index): UnplacedPort => ({
      type,
      index,
      label: rule?.label ?? type,
      ...(rule !== undefined && rule.max === undefined && { isMany: true }),
      ...(rule?.required === true && index === 0 && { isRequired: true }),
    }));
  });
}

/** Ports for the types that a node provides as a sub-node, and for others that links start with. */
function providedPorts(provided: readonly string[], used: ReadonlyMap<string, number>): UnplacedPort[] {
  return [...new Set([...provided, ...otherTypes(used)])].flatMap((type) =>
    Array.from({ length: (used.get(type) ?? 0) + 1 }, (_, index): UnplacedPort => ({ type, index })),
  );
}

function otherTypes(used: ReadonlyMap<string, number>): string[] {
  return [...used.keys()].filter((type) => type !== 'main');
}

/** Labels of the outputs that a kind lists, and `error` for the one that `continueErrorOutput` adds. */
function outputLabels(
  node: NodeDefinition,
  listed: readonly string[] | undefined,
  count: number | undefined,
): readonly string[] {
  const hasError = node.onError === 'continueErrorOutput';
  const own = listed !== undefined && listed.length > 1 ? listed : [];
  if (!hasError || count === undefined || count < 1) return own;
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? 'error' : (own[index] ?? String(index))));
}

function inColumn(ports: readonly UnplacedPort[], x: number, height: number): Port[] {
  const first = (height - PORT_DISTANCE * (ports.length - 1)) / 2;
  return ports.map((port, at) => ({ ...port, x, y: first + PORT_DISTANCE * at }));
}

function inRow(ports: readonly UnplacedPort[], y: number): Port[] {
  return ports.map((port, at) => ({ ...port, x: (NODE_SIZE.width * (at + 0.5)) / ports.length, y }));
}

function bounded(coordinate: number): number {
  return Number.isFinite(coordinate) ? Math.min(Math.max(coordinate, -MAX_COORDINATE), MAX_COORDINATE) : 0;
}
