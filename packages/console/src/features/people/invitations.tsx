import type { CreatedInvitation, Invitation, User } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { useUserName } from '../../api/owners';
import { invitationsQuery } from '../../api/people';
import { callerQuery, queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Confirm } from '../../ui/overlays/dialog';
import { SelectField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { ShownOnce } from '../../ui/forms/shown-once';
import { type Column, RecordList } from '../../ui/lists/records';
import { Section } from '../../ui/lists/section';
import { At } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { givenBy } from './roles';

/** Invites a person by email. */
export const Invite = ({ show, close }: { show: (invitation: CreatedInvitation) => void; close: () => void }) => {
  const roles = givenBy(useQuery(callerQuery).data?.user.role);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<User['role']>('editor');
  const invite = async (): Promise<void> => {
    const { data } = await weft.call('createInvitation', { body: { email, role }, headers: onceOnly() });
    show(data);
    await queryClient.invalidateQueries({ queryKey: ['invitations'] });
  };
  return (
    <FormDialog title="Invite a person" action="Create the link" submit={invite} close={close}>
      <TextField name="email" label="Email" type="email" value={email} change={setEmail} maxLength={254} isRequired />
      <SelectField
        name="role"
        label="Role"
        value={role}
        change={(value) => setRole(roles.find((one) => one === value) ?? 'editor')}
        choices={roles.map((one) => [one, one] as const)}
      />
    </FormDialog>
  );
};

/** A new link, which is shown once. */
export const NewLink = ({ invitation, done }: { invitation: CreatedInvitation; done: () => void }) => (
  <ShownOnce title={`Link for ${invitation.email}`} label="Link" value={location.origin + invitation.path} done={done}>
    <p className="soft">
      Send it yourself: Weft sends no mail. It works once, until <At at={invitation.expiresAt} />, is not shown again,
      and anyone who has it can use it.
    </p>
  </ShownOnce>
);

/** Invitations that were not used yet. */
export const Invitations = () => {
  const query = useQuery(invitationsQuery);
  const userName = useUserName();
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  const columns: readonly Column<Invitation>[] = [
    { title: 'Email', className: 'w', cell: ({ email }) => <b className="clip block">{email}</b> },
    {
      title: 'For',
      cell: ({ userId, role }) => <span className="soft">{userId === null ? `role ${role}` : 'a new password'}</span>,
    },
    { title: 'By', cell: ({ createdBy }) => <span className="soft">{userName(createdBy)}</span> },
    {
      title: 'Valid until',
      cell: ({ expiresAt }) => (
        <span className="soft">
          <At at={expiresAt} />
        </span>
      ),
    },
    {
      title: 'Withdraw',
      isBare: true,
      className: 'rowacts',
      cell: (invitation) => (
        <button
          type="button"
          className="btn sm"
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => setWithdrawn(invitation)}
        >
          Withdraw
        </button>
      ),
    },
  ];
  return (
    <Section title="Open invitations">
      <RecordList
        query={query}
        rows={query.data}
        what="the invitations"
        label="Open invitations"
        columns={columns}
        keyOf={({ id }) => id}
        empty={<p className="soft">No open links. Invitations and links for new passwords appear here.</p>}
      />
      {withdrawn !== undefined && (
        <Confirm
          title="Withdraw the invitation?"
          action="Withdraw"
          isDanger
          close={() => setWithdrawn(undefined)}
          act={async () => {
            await weft.call('deleteInvitation', { path: { id: withdrawn.id } });
            notify(`The invitation of ${withdrawn.email} was withdrawn`);
            await queryClient.invalidateQueries({ queryKey: ['invitations'] });
          }}
        >
          <p>The link of {withdrawn.email} no longer works.</p>
        </Confirm>
      )}
    </Section>
  );
};
