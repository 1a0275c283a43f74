import type { InputSources } from '../records/engine-state';
import type { OutputPlace } from './partial-items';
import type { PreviewRun } from './previewer';

/**
 * Outputs of the node runs that led to a node, the nearest first.
 * @param sources the node runs that filled its inputs
 * @param most the most outputs that are listed
 */
export function upstreamOutputs(runs: readonly PreviewRun[], sources: InputSources, most: number): OutputPlace[] {
  const found: OutputPlace[] = [];
  const seen = new Set<string>();
  let layer = [...sources];
  while (layer.length > 0 && found.length < most) {
    const next: (typeof layer)[number][] = [];
    for (const source of layer) {
      if (source === null || found.length >= most) continue;
      const { previousNode, previousNodeRun = 0, previousNodeOutput: output = 0 } = source;
      const run = runs.find((one) => one.node === previousNode && one.run === previousNodeRun);
      const key = `${run?.executionIndex} ${output}`;
      if (run === undefined || seen.has(key)) continue;
      seen.add(key);
      found.push({ executionIndex: run.executionIndex, output });
      next.push(...(run.source ?? []));
    }
    layer = next;
  }
  return found;
}
