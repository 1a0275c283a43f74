import type { PreparedWorkflow, RunData } from '@weft/engine';
import { isPollingKind } from '@weft/node-catalogue';
import type { ClaimedExecution } from './claimed-execution';

/**
 * True for a run of a polling trigger that the clock started and that found nothing: its trigger node ran once, and
 * gave no items to anything. Nobody needs its record.
 */
export const isEmptyPoll = (
  { mode, startNode }: Pick<ClaimedExecution, 'mode' | 'startNode'>,
  workflow: Pick<PreparedWorkflow, 'nodes'>,
  records: RunData,
): boolean => {
  const runs = records.get(startNode);
  return (
    mode === 'trigger' &&
    isPollingKind(workflow.nodes.get(startNode)?.kind) &&
    records.size === 1 &&
    runs?.length === 1 &&
    runs[0]?.executionStatus === 'success' &&
    (runs[0].data?.main ?? []).every((items) => items === null || items.length === 0)
  );
};
