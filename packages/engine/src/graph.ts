import type { PreparedWorkflow } from './prepare-workflow';

/** Every node that can lead to `name`, over any number of links, without `name` itself. */
export function ancestorsOf(workflow: PreparedWorkflow, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { node } of workflow.nodes.get(next)?.feeds ?? []) {
      if (node === name || found.has(node)) continue;
      found.add(node);
      open.push(node);
    }
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
