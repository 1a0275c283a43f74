import {
  descriptorAmong,
  MAX_PORT_INDEX,
  portCountsOf,
  type KindTable,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';

/** Size of a node on the canvas, in pixels. One with more than two ports on a side is higher. */
export const NODE_SIZE = { width: 208, height: 56 } as const;

/** Distance of ports, and thus the least size of a target for the pointer. */
const PORT_DISTANCE = 24;

/** Coordinates beyond these cannot be drawn: some workflows have positions such as 1e300. */
const MAX_COORDINATE = 1e6;

/** An input or output of a node. */
export interface Port {
  /** Type of its links; `main` carries items. */
  readonly type: string;
  readonly index: number;
  /** Such as `true`, `false` or `error`; undefined if the node has one output only. */
  readonly label?: string;
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
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

/**
 * Places all nodes of a workflow with their ports. Ports come from the kinds; ports that links use beyond those, and
 * links of other types such as `ai_tool`, have one as well. A node that is listed twice is drawn once.
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
  const inputs = portList(counts.inputs, used.inputs, []);
  const outputs = portList(counts.outputs, used.outputs, outputLabels(node, descriptor?.outputs, counts.outputs));
  const height = Math.max(NODE_SIZE.height, PORT_DISTANCE * Math.max(inputs.length, outputs.length) + 8);
  const [x, y] = node.position;
  return {
    name: node.name,
    x: bounded(x),
    y: bounded(y),
    width: NODE_SIZE.width,
    height,
    inputs: placed(inputs, 0, height),
    outputs: placed(outputs, NODE_SIZE.width, height),
  };
}

type UnplacedPort = Omit<Port, 'x' | 'y'>;

function portList(
  declared: number | undefined,
  used: ReadonlyMap<string, number>,
  labels: readonly string[],
): UnplacedPort[] {
  const mains = Math.min(Math.max(declared ?? 1, (used.get('main') ?? -1) + 1), MAX_PORT_INDEX + 1);
  const others = [...used].filter(([type]) => type !== 'main');
  return [
    ...Array.from({ length: mains }, (_, index): UnplacedPort => {
      const label = labels[index];
      return { type: 'main', index, ...(label === undefined ? {} : { label }) };
    }),
    ...others.flatMap(([type, highest]) =>
      Array.from({ length: highest + 1 }, (_, index): UnplacedPort => ({ type, index, label: type })),
    ),
  ];
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

function placed(ports: readonly UnplacedPort[], x: number, height: number): Port[] {
  const first = (height - PORT_DISTANCE * (ports.length - 1)) / 2;
  return ports.map((port, at) => ({ ...port, x, y: first + PORT_DISTANCE * at }));
}

function bounded(coordinate: number): number {
  return Number.isFinite(coordinate) ? Math.min(Math.max(coordinate, -MAX_COORDINATE), MAX_COORDINATE) : 0;
}
