import type { Execution } from '@weft/client';
import { useNavigate } from '@tanstack/react-router';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { isTerminal } from '../../ui/runs/run-state';
import { notify } from '../../ui/overlays/toast';

/** Asks, deletes an execution and returns to the list. */
export const DeleteExecution = ({ execution: { id, state }, close }: { execution: Execution; close: () => void }) => {
  const navigate = useNavigate();
  return (
    <Confirm
      title="Delete this execution?"
      action="Delete"
      isDanger
      close={close}
      act={async () => {
        await weft.call('deleteExecution', { path: { id } });
        notify('The execution is deleted');
        void queryClient.invalidateQueries({ queryKey: ['executions'] });
        await navigate({ to: '/executions', search: {} });
      }}
    >
      <p>Its data is deleted for good.{!isTerminal(state) && ' The execution is cancelled first.'}</p>
    </Confirm>
  );
};
