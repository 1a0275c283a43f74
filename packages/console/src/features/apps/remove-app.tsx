import { type App, WeftError } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { namesQuery, queryClient } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { notify } from '../../ui/overlays/toast';
import { plural } from '../../ui/values/format';

/** Ids of the active workflows that a refusal names; at most 20. */
const usersIn = (error: WeftError): readonly string[] => {
  const ids = error.details['workflowIds'];
  return typeof ids === 'string' && ids !== '' ? ids.split(', ') : [];
};

const Users = ({ ids }: { ids: readonly string[] }) => {
  const names = useQuery(namesQuery(ids)).data;
  return (
    <ul className="namelist">
      {ids.map((id) => (
        <li key={id}>
          <Link className="lnk" to="/workflows/$id" params={{ id }}>
            {names?.get(id) ?? id}
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Removes an app. While active workflows use it, they are listed first. */
export const RemoveApp = ({ app: { name, label }, close }: { app: Pick<App, 'name' | 'label'>; close: () => void }) => {
  const [refusal, setRefusal] = useState<WeftError>();
  const remove = async (isForced: boolean): Promise<void> => {
    await weft.call('deleteApp', { path: { id: name }, query: isForced ? { force: true } : {} });
    notify(`${label} was removed`);
    await queryClient.invalidateQueries({ queryKey: ['apps'] });
    await queryClient.invalidateQueries({ queryKey: ['node-types'] });
  };
  if (refusal === undefined)
    return (
      <Confirm
        key="ask"
        title="Remove the app?"
        action="Remove"
        isDanger
        close={close}
        act={async () => {
          try {
            await remove(false);
          } catch (error) {
            if (error instanceof WeftError && error.reason === 'APP_IN_USE') setRefusal(error);
            // An action that fails leaves the dialog open, here for the list of workflows.
            throw error;
          }
        }}
      >
        <p>Workflows with nodes of {label} cannot be activated or run any more, until the app is added again.</p>
      </Confirm>
    );
  const ids = usersIn(refusal);
  return (
    <Confirm
      key="force"
      title="Active workflows use this app"
      action="Remove anyway"
      isDanger
      close={close}
      act={() => remove(true)}
    >
      <p>
        {ids.length === 0 ? 'Active workflows' : plural(ids.length, 'active workflow')} would continue with the revision
        of {label} that they have, and could not be saved or activated again:
      </p>
      <Users ids={ids} />
    </Confirm>
  );
};
