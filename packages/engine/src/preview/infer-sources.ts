import { linksOf, type WorkflowDefinition } from '@weft/node-catalogue/definitions';
import type { InputSources } from '../records/engine-state';
import { sourceOf } from '../records/run-store';
import type { PreviewRun } from './previewer';

/**
 * The node runs that fill the inputs of a node: those that the execution recorded for a run of it, as long as the draft
 * still has the links; otherwise the last runs of the nodes that lead to it, or those nodes alone where they have not
 * run, since they may have pins.
 */
export function inferSources(
  draft: Pick<WorkflowDefinition, 'nodes' | 'connections'>,
  runs: readonly PreviewRun[],
  node: string,
  run: number,
): InputSources {
  const links = linksOf(draft).filter(({ to }) => to === node);
  const recorded = runs.find((one) => one.node === node && one.run === run)?.source;
  const isLinked = (source: InputSources[number]): boolean =>
    source === null || links.some(({ from }) => from === source.previousNode);
  if (recorded !== undefined && recorded.length > 0 && recorded.every(isLinked)) return recorded;
  const inputs = links.reduce((count, { input }) => Math.max(count, input + 1), 0);
  return Array.from({ length: inputs }, (_, input) => {
    const found = links
      .filter((link) => link.input === input)
      .map(({ from, output }) => ({ from, output, last: lastRunOf(runs, from) }));
    // A node may have run without giving anything to this input.
    const filled = found.find(({ output, last }) => (last?.items[output] ?? 0) > 0);
    const [best] = filled === undefined ? [found.find(({ last }) => last !== undefined) ?? found[0]] : [filled];
    return best === undefined ? null : sourceOf(best.from, best.output, best.last?.run ?? 0);
  });
}

function lastRunOf(runs: readonly PreviewRun[], node: string): PreviewRun | undefined {
  return runs
    .filter((one) => one.node === node)
    .reduce<PreviewRun | undefined>((last, one) => (last === undefined || one.run > last.run ? one : last), undefined);
}
