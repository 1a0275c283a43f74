import type { NodeType } from '@weft/client';
import { nodeSummary } from '@weft/workflow-edit/node-summary';
import { memberOf } from '../../ui/values/json';
import { kindOfNode, type NodeTypes, typeOfKind } from './kinds';
import { isDrawable, MIN_DISTANCE, placing, stretchFor } from './placing';

/** A node of a definition. Everything in it may be hostile. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  /** The name of its kind, or its type if it has none. */
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  readonly isDisabled: boolean;
  readonly parameters: unknown;
  /** Its purpose in a few words; undefined if that is no more than the label of its kind. */
  readonly summary: string | undefined;
  readonly notes: string;
  readonly inputs: number;
  /** Labels of the outputs; empty strings if there is one. */
  readonly outputs: readonly string[];
  /** True if sub-nodes are connected to it. */
  readonly usesOthers: boolean;
  /** True if it is connected to a node as its sub-node. */
  readonly isUsed: boolean;
}

/** A connection of main ports, or of another type, which is drawn dashed. */
export interface GraphEdge {
  readonly id: string;
  readonly source: string;
  readonly output: number;
  readonly target: string;
  readonly input: number;
  /** Type of the connection; `main` carries items. */
  readonly type: string;
  readonly isMain: boolean;
}

export interface Graph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** More nodes are not drawn. */
const MAX_NODES = 2_000;
const MAX_EDGES = 10_000;
const ROW = 8;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The position in a definition; undefined if it cannot be drawn. */
const placeOf = (position: unknown): Place | undefined => {
  const [x, y] = isList(position) ? position : [];
  return isNumber(x) && isNumber(y) && isDrawable(x) && isDrawable(y) ? { x, y } : undefined;
};

/** How far apart the nodes are drawn. */
const stretchOf = (edges: readonly GraphEdge[], places: ReadonlyMap<string, Place | undefined>): number =>
  stretchFor(
    edges.map(({ source, target }) => {
      const [from, to] = [places.get(source), places.get(target)];
      return from === undefined || to === undefined ? 0 : to.x - from.x;
    }),
  );

const readEdges = (connections: unknown, names: ReadonlySet<string>): readonly GraphEdge[] => {
  const edges: GraphEdge[] = [];
  if (typeof connections !== 'object' || connections === null) return edges;
  for (const [source, byType] of Object.entries(connections)) {
    if (!names.has(source) || typeof byType !== 'object' || byType === null) continue;
    for (const [type, outputs] of Object.entries(byType))
      (isList(outputs) ? outputs : []).forEach((targets, output) => {
        for (const target of isList(targets) ? targets : []) {
          const [node, input] = [memberOf(target, 'node'), memberOf(target, 'index')];
          if (!isText(node) || !names.has(node) || edges.length >= MAX_EDGES) continue;
          const index = isNumber(input) && input >= 0 && input < 100 ? Math.floor(input) : 0;
          const id = `${edges.length} ${type} ${output} ${index}`;
          edges.push({
            id,
            source,
            output: Math.min(output, 99),
            target: node,
            input: index,
            type,
            isMain: type === 'main',
          });
        }
      });
  }
  return edges;
};

const outputsOf = (node: unknown, type: NodeType | undefined, used: number): readonly string[] => {
  const labels = type?.outputs ?? [''];
  const hasErrorOutput = memberOf(node, 'onError') === 'continueErrorOutput';
  const count = Math.max(used, labels.length + (hasErrorOutput ? 1 : 0));
  if (count <= 1) return Array.from({ length: count }, () => '');
  return Array.from({ length: count }, (_, at) =>
    hasErrorOutput && at === labels.length ? 'error' : (labels[at] ?? String(at)),
  );
};

/** Number of ports that have indexes up to the highest of these. */
const highest = (indexes: readonly number[]): number => indexes.reduce((most, index) => Math.max(most, index + 1), 0);

/** Reads a definition as far as it can be drawn. @param types by kind; absent while they load */
export const readGraph = (definition: unknown, types: NodeTypes | undefined): Graph => {
  const given = memberOf(definition, 'nodes');
  const raw = (isList(given) ? given : []).filter((node) => isText(memberOf(node, 'name'))).slice(0, MAX_NODES);
  const names = new Set(raw.map((node) => String(memberOf(node, 'name'))));
  const edges = readEdges(memberOf(definition, 'connections'), names);
  const places = new Map(raw.map((node) => [String(memberOf(node, 'name')), placeOf(memberOf(node, 'position'))]));
  const stretch = stretchOf(edges, places);
  const main = edges.filter(({ isMain }) => isMain);
  const outgoing = Map.groupBy(main, ({ source }) => source);
  const incoming = Map.groupBy(main, ({ target }) => target);
  const attached = edges.filter(({ isMain }) => !isMain);
  const users = new Set(attached.map(({ target }) => target));
  const used = new Set(attached.map(({ source }) => source));
  const placeNode = placing();
  const nodes = raw.map((node, at): GraphNode => {
    const name = String(memberOf(node, 'name'));
    const type = memberOf(node, 'type');
    const kind = isText(type) ? kindOfNode(type) : '';
    const descriptor = typeOfKind(types, kind);
    const place = places.get(name) ?? { x: (at % ROW) * MIN_DISTANCE, y: Math.floor(at / ROW) * 120 };
    const [x, y] = placeNode(Math.round(place.x * stretch), Math.round(place.y));
    const leaving = highest((outgoing.get(name) ?? []).map(({ output }) => output));
    const filled = highest((incoming.get(name) ?? []).map(({ input }) => input));
    const [notes, parameters] = [memberOf(node, 'notes'), memberOf(node, 'parameters')];
    return {
      name,
      type: isText(type) ? type : '',
      kind,
      x,
      y,
      isDisabled: memberOf(node, 'disabled') === true,
      parameters,
      summary: nodeSummary(kind, parameters),
      notes: isText(notes) ? notes : '',
      inputs: Math.max(filled, descriptor?.isTrigger === true ? 0 : (descriptor?.inputs.length ?? 1)),
      outputs: outputsOf(node, descriptor, leaving),
      usesOthers: users.has(name),
      isUsed: used.has(name),
    };
  });
  const name = memberOf(definition, 'name');
  return { name: isText(name) ? name : '', nodes, edges };
};
