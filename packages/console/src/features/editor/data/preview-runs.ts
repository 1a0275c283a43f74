import type { NodeRun } from '@weft/client';
import type { PreviewRun } from '@weft/engine/preview/session';
import type { NodeRunRow } from '../../executions/run-model';
import { type NodeTypes, typeOfNode } from '../../graph/kinds';

/** Names of the nodes that other nodes call, and that items do not reach. */
export const subNodesOf = (
  nodes: readonly { readonly name: string; readonly type: string }[],
  kinds: NodeTypes | undefined,
): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ name, type }) => {
      const { inputs, provides = [] } = typeOfNode(kinds, type) ?? { inputs: [''] };
      return inputs.length === 0 && provides.length > 0 ? [name] : [];
    }),
  );

/** The stored node runs, as previews read them: expressions of a run see no items of sub-nodes. */
export const previewRunsOf = (rows: readonly NodeRunRow[], subNodes: ReadonlySet<string>): readonly PreviewRun[] =>
  rows.flatMap(({ node, run, executionIndex, items, state }) =>
    executionIndex === undefined
      ? []
      : [{ node, run, executionIndex, items: subNodes.has(node) ? [] : items, hasFailed: state === 'error' }],
  );

/** Adds what the records say about where items come from. */
export const withSources = (
  runs: readonly PreviewRun[],
  records: readonly Pick<NodeRun, 'executionIndex' | 'source'>[],
): readonly PreviewRun[] => {
  const byIndex = new Map(records.map(({ executionIndex, source = [] }) => [executionIndex, source]));
  return runs.map((run) => {
    const source = byIndex.get(run.executionIndex);
    return source === undefined ? run : { ...run, source };
  });
};
