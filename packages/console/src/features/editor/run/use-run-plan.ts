import { useQuery } from '@tanstack/react-query';
import { planRun, type RunPlan, type RunTarget } from '@weft/workflow-edit';
import { useCallback, useMemo } from 'react';
import { executionQuery } from '../../../api/queries';
import { storedRunQuery } from '../../../api/run-queries';
import { isTerminal } from '../../../ui/runs/run-state';
import { useEditor } from '../editor-context';
import { kindTable } from '../operations/kind-table';
import { definitionQuery } from '../stored-workflow';
import { type Previous, previousOf } from './run-target';

/** The execution whose data the editor shows, once it has ended: its output may be used again. */
const usePrevious = (): Previous | undefined => {
  const { workflowId, source } = useEditor();
  const id = source?.executionId ?? '';
  const execution = useQuery({ ...executionQuery(id), enabled: id !== '' }).data;
  const versionId = execution?.versionId ?? '';
  const hasEnded = execution !== undefined && isTerminal(execution.state);
  const stored = useQuery({ ...storedRunQuery(id), enabled: hasEnded }).data;
  const version = useQuery({ ...definitionQuery(workflowId, versionId), enabled: hasEnded && versionId !== '' }).data;
  return useMemo(
    () =>
      execution === undefined || !hasEnded || stored?.isComplete !== true || version === undefined
        ? undefined
        : previousOf(execution, stored.events, version),
    [execution, hasEnded, stored, version],
  );
};

/** A run that the user may start. */
export interface PlannedRun {
  readonly target: RunTarget;
  readonly plan: RunPlan;
  readonly previous: Previous | undefined;
}

/** Plans runs of the draft with the data that the editor shows. */
export const useRunPlan = (): ((target: RunTarget) => PlannedRun) => {
  const { document, kinds } = useEditor();
  const previous = usePrevious();
  return useCallback(
    (target) => {
      const options = { kinds: kindTable(kinds), usePinData: true };
      return { target, previous, plan: planRun(document.definition, previous?.run, target, options) };
    },
    [document, kinds, previous],
  );
};
