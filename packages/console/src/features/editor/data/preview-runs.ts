import type { NodeRun } from '@weft/client';
import type { PreviewRun } from '@weft/engine/preview/session';
import type { NodeRunRow } from '../../executions/run-model';

/** The stored node runs, as previews read them. */
export const previewRunsOf = (rows: readonly NodeRunRow[]): readonly PreviewRun[] =>
  rows.flatMap(({ node, run, executionIndex, items, state }) =>
    executionIndex === undefined ? [] : [{ node, run, executionIndex, items, hasFailed: state === 'error' }],
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
