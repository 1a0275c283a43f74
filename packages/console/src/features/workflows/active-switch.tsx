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
  prepare,
}: {
  id: string;
  name: string;
  active: boolean;
  mayChange: boolean;
  /** Is called before the workflow is activated, to save it; false: it is not activated. */
  prepare?: () => Promise<boolean>;
}) => {
  const change = useMutation({
    /** Returns false if the workflow was not activated because it could not be saved. */
    mutationFn: async (next: boolean): Promise<boolean> => {
      if (next && prepare !== undefined && !(await prepare())) return false;
      await (next
        ? weft.call('activateWorkflow', { path: { id } })
        : weft.call('deactivateWorkflow', { path: { id } }));
      return true;
    },
    onSuccess: (isDone, next) => isDone && notify(`${name} is ${next ? 'active' : 'inactive'}`),
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
