import { isEqualJson, type Json } from '@weft/service-kit/json-values';
import { attachmentsOf } from '../attachments';
import { linksOf, timezoneOf, type WorkflowDefinition } from '../definition';
import type { PreviousRun } from './plan-run';
import type { RunGraph } from './run-graph';

/** Fields of a node that change nothing about its output. Nodes are compared with those of the same name. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['position', 'notes', 'notesInFlow', 'id', 'name']);

/** The fields of a node that decide its output, as JSON. */
export function effectOf(node: object): Json {
  const entries = Object.entries(node).filter(([key]) => !WITHOUT_EFFECT.has(key));
  const effect: Json = JSON.parse(JSON.stringify(Object.fromEntries(entries)));
  return effect;
}

/**
 * Nodes whose output of the previous execution may not be reused: those that have changed or failed since, those that
 * items had reached when the execution ended early, and everything that depends on any of them.
 */
export function staleNodes(graph: RunGraph, previous: PreviousRun, usePinData: boolean): Set<string> {
  const { definition, runs } = previous;
  if (!hasSameSettings(graph.definition, definition)) return new Set(graph.nodes.keys());
  const failed = [...runs].flatMap(([name, { status }]) => (status === 'error' ? [name] : []));
  return graph.dependentsOf([
    ...changedNodes(graph, previous, usePinData),
    ...failed,
    ...(previous.hasSucceeded ? [] : pendingNodes(graph, previous)),
  ]);
}

function hasSameSettings(draft: WorkflowDefinition, ran: WorkflowDefinition): boolean {
  return timezoneOf(draft) === timezoneOf(ran) && draft.settings.executionOrder === ran.settings.executionOrder;
}

/** Nodes that are not the same as in the version that ran: their fields, their pins, or the links to them. */
function changedNodes(
  graph: RunGraph,
  { definition: ran, usePinData: usedPins }: PreviousRun,
  usePins: boolean,
): string[] {
  const before = new Map(ran.nodes.map((node) => [node.name, node]));
  const [oldLinks, newLinks] = [linksInto(ran), linksInto(graph.definition)];
  return [...graph.nodes].flatMap(([name, node]) => {
    const old = before.get(name);
    const isSame =
      old !== undefined &&
      isEqualJson(effectOf(node), effectOf(old)) &&
      isEqualJson(oldLinks.get(name), newLinks.get(name)) &&
      isEqualJson(pinsOf(graph.definition, name, usePins), pinsOf(ran, name, usedPins));
    return isSame ? [] : [name];
  });
}

/** Nodes that have had fewer runs than items have reached them: the execution ended before them. */
function pendingNodes(graph: RunGraph, { definition, runs }: PreviousRun): string[] {
  const arrived = new Map<string, number[]>();
  for (const { from, output, to, input } of linksOf(definition)) {
    const inputs = arrived.get(to) ?? [];
    inputs[input] = (inputs[input] ?? 0) + (runs.get(from)?.filledOutputs[output] ?? 0);
    arrived.set(to, inputs);
  }
  return [...arrived].flatMap(([name, inputs]) => {
    const most = inputs.reduce((max, count) => Math.max(max, count), 0);
    return graph.nodes.has(name) && (runs.get(name)?.runs ?? 0) < most ? [name] : [];
  });
}

function pinsOf({ pinData }: WorkflowDefinition, name: string, usePins: boolean): Json | undefined {
  const items = usePins ? pinData[name] : undefined;
  return items === undefined ? undefined : [...items];
}

/** By node: the outputs that lead to it, and its inputs, and its sub-nodes. */
function linksInto(definition: WorkflowDefinition): Map<string, Json> {
  const into = new Map<string, string[]>();
  for (const { from, output, to, input } of linksOf(definition))
    into.set(to, [...(into.get(to) ?? []), JSON.stringify([from, output, input])]);
  for (const { type, from, to, port } of attachmentsOf(definition))
    into.set(to, [...(into.get(to) ?? []), JSON.stringify([from, type, port])]);
  return new Map([...into].map(([name, links]): [string, Json] => [name, links.toSorted()]));
}
