import type { ApiKey, User } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { useUsers } from '../../api/owners';
import { readUsersAgain, userKeysQuery } from '../../api/people';
import { queryClient } from '../../api/queries';
import { Confirm, Modal } from '../../ui/overlays/dialog';
import { FormDialog } from '../../ui/forms/form';
import { SelectField } from '../../ui/forms/fields';
import { type Column, RecordList } from '../../ui/lists/records';
import { notify } from '../../ui/overlays/toast';
import { KEY_COLUMNS } from '../keys/key-columns';

interface Props {
  readonly user: User;
  readonly close: () => void;
}

/** Asks before a user is locked. */
export const LockUser = ({ user: { id, email }, close }: Props) => (
  <Confirm
    title="Lock the user?"
    action="Lock"
    isDanger
    close={close}
    act={async () => {
      await weft.call('lockUser', { path: { id } });
      notify(`${email} is locked`);
      await readUsersAgain();
    }}
  >
    <p>Keys, sessions and the password of {email} stop working immediately. Their workflows keep running.</p>
  </Confirm>
);

/** Deletes a user, after asking who gets what they own. */
export const DeleteUser = ({ user: { id, email }, close }: Props) => {
  const [heir, setHeir] = useState('');
  const heirs = useUsers().filter((one) => one.id !== id && one.role !== 'viewer' && one.lockedAt === null);
  return (
    <FormDialog
      title="Delete the user?"
      action="Delete"
      close={close}
      submit={async () => {
        await weft.call('deleteUser', { path: { id }, query: heir === '' ? {} : { transferTo: heir } });
        notify(`${email} was deleted`);
        await Promise.all([readUsersAgain(), queryClient.invalidateQueries({ queryKey: ['invitations'] })]);
      }}
    >
      <p>Keys and sessions of {email} stop working immediately. This cannot be undone.</p>
      <SelectField
        name="transferTo"
        label="New owner of their workflows, tables and credentials"
        value={heir}
        change={setHeir}
        choices={[['', 'No one: only if they own nothing'], ...heirs.map((one) => [one.id, one.email] as const)]}
      />
    </FormDialog>
  );
};

/** The keys of a user, each with a button that deletes it. */
export const UserKeys = ({ user: { id, email }, close }: Props) => {
  const keys = useQuery(userKeysQuery(id));
  const [deleted, setDeleted] = useState<ApiKey>();
  const columns: readonly Column<ApiKey>[] = [
    ...KEY_COLUMNS.filter(({ title }) => title !== 'May'),
    {
      title: 'Delete',
      isBare: true,
      className: 'rowacts',
      cell: (key) => (
        <button
          type="button"
          className="btn sm"
          aria-label={`Delete the key ${key.name}`}
          onClick={() => setDeleted(key)}
        >
          Delete
        </button>
      ),
    },
  ];
  if (deleted !== undefined)
    return (
      <Confirm
        title="Delete the API key?"
        action="Delete"
        isDanger
        close={() => setDeleted(undefined)}
        act={async () => {
          await weft.call('deleteUserApiKey', { path: { id, keyId: deleted.id } });
          notify(`The key ${deleted.name} was deleted`);
          await queryClient.invalidateQueries({ queryKey: ['users', id, 'keys'] });
        }}
      >
        <p>
          Every client that uses {deleted.name} of {email} is refused from its next request on.
        </p>
      </Confirm>
    );
  return (
    <Modal title={`API keys of ${email}`} close={close} className="widedialog">
      <RecordList
        query={keys}
        rows={keys.data}
        what="the keys"
        label={`API keys of ${email}`}
        columns={columns}
        keyOf={({ id: key }) => key}
        empty={<p className="soft">This user has no API keys.</p>}
      />
    </Modal>
  );
};
