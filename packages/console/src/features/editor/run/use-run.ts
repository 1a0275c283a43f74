import { useMutation, useQuery } from '@tanstack/react-query';
import { weft } from '../../../api/client';
import { executionQuery, queryClient } from '../../../api/queries';
import { onceOnly } from '../../../api/tagged';
import { isTerminal } from '../../../ui/runs/run-state';
import { notify } from '../../../ui/overlays/toast';
import { useEditor } from '../editor-context';
import { requestOf } from './run-target';
import type { PlannedRun } from './use-run-plan';

/** Starts planned runs of the draft, and shows their data as it arrives. */
export const useStartRun = () => {
  const { workflowId: id, document, setSource } = useEditor();
  return useMutation({
    mutationFn: async ({ target, plan, previous }: PlannedRun) =>
      (
        await weft.call('executeWorkflow', {
          path: { id },
          body: requestOf(target, plan, previous, document),
          headers: onceOnly(),
        })
      ).data,
    onSuccess: ({ executionId }) => {
      setSource(executionId);
      for (const key of ['executions', 'latest']) void queryClient.invalidateQueries({ queryKey: [key] });
    },
    onError: (error) => notify('Could not run the workflow', 'error', error.message),
  });
};

const POLL_MS = 1_500;

/** The shown execution, if it has not ended, and how to cancel it. */
export const useCurrentRun = () => {
  const { source } = useEditor();
  const id = source?.executionId ?? '';
  const execution = useQuery({
    ...executionQuery(id),
    enabled: id !== '',
    // The outline follows no events.
    refetchInterval: ({ state }) => (state.data === undefined || isTerminal(state.data.state) ? false : POLL_MS),
  }).data;
  const cancel = useMutation({
    mutationFn: () => weft.call('cancelExecution', { path: { id } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['execution', id] }),
    onError: (error) => notify('Could not cancel the run', 'error', error.message),
  });
  const state = execution?.state;
  return { state, isRunning: state !== undefined && !isTerminal(state), cancel };
};
