import type { PreparedWorkflow, RunData } from '@weft/engine';
import { isPollingKind } from '@weft/node-catalogue';
import type { ClaimedExecution } from '../claims/claimed-execution';

/**
 * Whether the trigger of a run returned nothing: a polling trigger that found nothing, a webhook whose condition the
 * request does not meet, or the trigger of an app that does not accept the call. The trigger ran once, and nothing
 * after it, so the record is not needed.
 */
export const isEmptyStart = (
  { mode, startNode }: Pick<ClaimedExecution, 'mode' | 'startNode'>,
  workflow: Pick<PreparedWorkflow, 'nodes'>,
  records: RunData,
): boolean => {
  const runs = records.get(startNode);
  const kind = workflow.nodes.get(startNode)?.kind;
  return (
    ((mode === 'trigger' && isPollingKind(kind)) || mode === 'webhook') &&
    records.size === 1 &&
    runs?.length === 1 &&
    runs[0]?.executionStatus === 'success' &&
    (runs[0].data?.main ?? []).every((items) => items === null || items.length === 0)
  );
};
