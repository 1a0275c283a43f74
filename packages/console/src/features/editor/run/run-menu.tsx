import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { weft } from '../../../api/client';
import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { notify } from '../../../ui/toast';
import { useEditor } from '../editor-context';

/** Starts the saved workflow. */
export const RunMenu = () => {
  const { workflowId: id } = useEditor();
  const navigate = useNavigate();
  const mayWrite = useMay('workflows:write');
  const start = useMutation({
    mutationFn: () =>
      weft.call('executeWorkflow', {
        path: { id },
        body: {},
        headers: { 'idempotency-key': crypto.randomUUID() },
      }),
    onSuccess: ({ data }) => navigate({ to: '/executions/$id', params: { id: data.executionId }, search: {} }),
    onError: (error) => notify('Could not start the workflow', 'error', error.message),
  });
  if (!mayWrite) return null;
  return (
    <button type="button" className="btn primary" disabled={start.isPending} onClick={() => start.mutate()}>
      <Icon name="play" />
      Run
    </button>
  );
};
