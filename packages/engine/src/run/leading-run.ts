import type { InputSources } from '../records/engine-state';
import type { RunStore } from '../records/run-store';

/** Maximum number of node runs searched for the run that led to the current one. */
const MAX_STEPS = 2_000;

/**
 * The run of node `name` that led to a node with these inputs: the nearest one on the way back, or the latest if none
 * is on it (or none within a bounded number of steps).
 */
export function leadingRun(store: RunStore, sources: InputSources, name: string): number {
  const runs = store.runsOf(name);
  if (runs <= 1) return 0;
  const seen = new Set<string>();
  let layer = sources.filter((source) => source !== null);
  while (layer.length > 0 && seen.size < MAX_STEPS) {
    const found = layer.find((source) => source.previousNode === name);
    if (found !== undefined) return found.previousNodeRun ?? 0;
    const next = new Map<string, { node: string; run: number }>();
    for (const { previousNode: node, previousNodeRun: run = 0 } of layer)
      next.set(`${node}\u0000${run}`, { node, run });
    layer = [...next].flatMap(([key, { node, run }]) => {
      if (seen.has(key)) return [];
      seen.add(key);
      return (store.run(node, run)?.source ?? []).filter((source) => source !== null);
    });
  }
  return runs - 1;
}
