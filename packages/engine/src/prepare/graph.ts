import type { PreparedWorkflow } from './prepare-workflow';

/** Names of all nodes that can lead to a node, without itself, the nearest first. */
export function ancestorsOf(workflow: PreparedWorkflow, name: string): ReadonlySet<string> {
  return reachedFrom(name, (from) => workflow.nodes.get(from)?.feeds ?? []);
}

/** Names of all nodes that a node can lead to, without itself, the nearest first. */
export function descendantsOf(workflow: PreparedWorkflow, name: string): ReadonlySet<string> {
  return reachedFrom(name, (from) => workflow.nodes.get(from)?.successors ?? []);
}

function reachedFrom(name: string, step: (from: string) => readonly { readonly node: string }[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let layer = [name]; layer.length > 0;) {
    const next: string[] = [];
    for (const { node } of layer.flatMap(step)) {
      if (node === name || found.has(node)) continue;
      found.add(node);
      next.push(node);
    }
    layer = next;
  }
  return found;
}

/** The output of `source` through which it leads to `target` by the fewest links; undefined if it does not. */
export function connectingOutput(workflow: PreparedWorkflow, source: string, target: string): number | undefined {
  const seen = new Set([target]);
  let layer = [target];
  while (layer.length > 0) {
    const next: string[] = [];
    for (const name of layer) {
      for (const feed of workflow.nodes.get(name)?.feeds ?? []) {
        if (feed.node === source) return feed.output;
        if (seen.has(feed.node)) continue;
        seen.add(feed.node);
        next.push(feed.node);
      }
    }
    layer = next;
  }
  return undefined;
}
