import { Switch } from '@base-ui/react/switch';
import { useMutation } from '@tanstack/react-query';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { notify } from '../../ui/overlays/toast';

/** Activates and deactivates a workflow; says why it cannot be activated. */
export const ActiveSwitch = ({
  id,
  name,
  active,
  mayChange,
}: {
  id: string;
  name: string;
  active: boolean;
  mayChange: boolean;
}) => {
  const change = useMutation({
    mutationFn: (next: boolean) =>
      next ? weft.call('activateWorkflow', { path: { id } }) : weft.call('deactivateWorkflow', { path: { id } }),
    onSuccess: (_, next) => notify(`${name} is ${next ? 'active' : 'inactive'}`),
    onError: (error, next) => notify(`Could not ${next ? 'activate' : 'deactivate'} ${name}`, 'error', error.message),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['workflows'] }),
        queryClient.invalidateQueries({ queryKey: ['workflow', id] }),
        queryClient.invalidateQueries({ queryKey: ['stored-workflow', id] }),
      ]),
  });
  const shown = change.isPending ? change.variables : active;
  return (
    <Switch.Root
      className="switch"
      checked={shown}
      disabled={!mayChange || change.isPending}
      onCheckedChange={(next) => change.mutate(next)}
      aria-label={`${name} active`}
    />
  );
};
