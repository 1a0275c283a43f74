import { descriptorAmong, linksOf, type NodeDefinition, type WorkflowDefinition } from '@weft/node-catalogue';
import { kindsIn } from '../descriptors/kinds-in';
import { withSubNodes } from './check-attachments';
import { isTrigger } from './start-node';

type Graph = Pick<WorkflowDefinition, 'nodes' | 'connections' | 'apps'>;

/**
 * Names of the given nodes, of all nodes that a run from them can reach, and of their sub-nodes. Disabled nodes pass
 * items on, so the nodes after them count.
 */
export function reachableFrom(definition: Graph, starts: readonly string[]): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of linksOf(definition)) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Set(starts);
  // The set grows while iterated: every name is visited once.
  for (const name of reached) for (const to of next.get(name) ?? []) reached.add(to);
  return withSubNodes(definition, reached);
}

/**
 * Names of the nodes at which a run can begin on its own while the workflow is active, and of all nodes after them. A
 * node of an unknown kind that has outgoing links but no incoming ones can only be a trigger, so it counts as one.
 */
export function reachableFromTriggers(definition: Graph): ReadonlySet<string> {
  const kinds = kindsIn(definition);
  const isKnown = (node: NodeDefinition): boolean => descriptorAmong(node, kinds) !== undefined;
  const links = linksOf(definition);
  const sources = new Set(links.map(({ from }) => from));
  const targets = new Set(links.map(({ to }) => to));
  const begins = (node: NodeDefinition): boolean =>
    isTrigger(node, kinds) || (!isKnown(node) && sources.has(node.name) && !targets.has(node.name));
  return reachableFrom(
    definition,
    definition.nodes.filter((node) => node.disabled !== true && begins(node)).map(({ name }) => name),
  );
}
