import { type Credential, WeftError } from '@weft/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { plural } from '../../ui/values/format';
import { notify } from '../../ui/overlays/toast';

interface Use {
  readonly id: string;
  readonly name: string;
}

const wordsIn = (error: WeftError, name: string): readonly string[] => {
  const value = error.details[name];
  return typeof value === 'string' && value !== '' ? value.split(', ') : [];
};

/** The workflows that a refusal names. Names may contain the separator, so ids are shown if the counts differ. */
const usesIn = (error: WeftError): readonly Use[] => {
  const ids = wordsIn(error, 'workflowIds');
  const names = wordsIn(error, 'workflows');
  return ids.map((id, at) => ({ id, name: names.length === ids.length ? (names[at] ?? id) : id }));
};

/** Deletes a credential. While workflows use it, they are listed first. */
export const DeleteCredential = ({
  credential: { id, name },
  close,
}: {
  credential: Pick<Credential, 'id' | 'name'>;
  close: () => void;
}) => {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<WeftError>();
  const uses = refusal === undefined ? [] : usesIn(refusal);
  const isForced = refusal !== undefined;
  const remove = async (): Promise<void> => {
    await weft.call('deleteCredential', { path: { id }, query: isForced ? { force: true } : {} });
    notify(`${name} was deleted`);
    await navigate({ to: '/credentials', search: {} });
    await queryClient.invalidateQueries({ queryKey: ['credentials'] });
  };
  if (!isForced)
    return (
      <Confirm
        key="ask"
        title="Delete the credential?"
        action="Delete"
        isDanger
        close={close}
        act={async () => {
          try {
            await remove();
          } catch (error) {
            if (error instanceof WeftError && error.reason === 'CREDENTIAL_IN_USE') setRefusal(error);
            // An action that fails leaves the dialog open, here for the list of workflows.
            throw error;
          }
        }}
      >
        <p>{name} and its data are deleted for good.</p>
      </Confirm>
    );
  return (
    <Confirm
      key="force"
      title="Workflows use this credential"
      action="Delete anyway"
      isDanger
      close={close}
      act={remove}
    >
      <p>
        {uses.length === 0 ? 'Workflows' : plural(uses.length, 'workflow')} that you can see would fail at the nodes
        that use {name}:
      </p>
      <ul className="namelist">
        {uses.map((use) => (
          <li key={use.id}>
            <Link className="lnk" to="/workflows/$id" params={{ id: use.id }}>
              {use.name}
            </Link>
          </li>
        ))}
      </ul>
      {refusal.details['hidden'] === 'true' && <p className="soft">Workflows of closed projects use it as well.</p>}
    </Confirm>
  );
};
