import type { CreatedInvitation, User } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { entriesOf } from '../../api/lists';
import { readUsersAgain, userListQuery } from '../../api/people';
import { callerQuery, queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { errorText } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { MenuButton } from '../../ui/overlays/menu';
import { PageHead } from '../../ui/page';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { Invitations, Invite, NewLink } from './invitations';
import { givenBy, manages } from './roles';
import { DeleteUser, LockUser, UserKeys } from './user-dialogs';

/** Says whether it worked; reads the users again either way. */
const act = async (done: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
    notify(done);
  } catch (error) {
    notify('That was refused', 'error', errorText(error));
  } finally {
    await readUsersAgain();
  }
};

const RoleCell = ({ user, given }: { user: User; given: readonly User['role'][] }) => {
  const { id, email, role } = user;
  if (!given.includes(role)) return <span className="soft">{role}</span>;
  return (
    <select
      className="select short"
      aria-label={`Role of ${email}`}
      value={role}
      onChange={({ target }) => {
        const next = given.find((one) => one === target.value);
        if (next !== undefined)
          void act(`${email} now has the role ${next}`, () =>
            weft.call('changeUserRole', { path: { id }, body: { role: next } }),
          );
      }}
    >
      {given.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
};

type Opened = { readonly kind: 'keys' | 'lock' | 'delete'; readonly user: User };

const UserMenu = ({
  user,
  open,
  show,
}: {
  user: User;
  open: (opened: Opened) => void;
  show: (invitation: CreatedInvitation) => void;
}) => {
  const { id, email, lockedAt } = user;
  const resetPassword = () =>
    act(`A link was created with which ${email} can set a new password`, async () => {
      const { data } = await weft.call('resetPassword', { path: { id }, headers: onceOnly() });
      show(data);
      await queryClient.invalidateQueries({ queryKey: ['invitations'] });
    });
  return (
    <MenuButton
      label={`Actions for ${email}`}
      entries={[
        { label: 'API keys', icon: 'key', act: () => open({ kind: 'keys', user }) },
        { label: 'Link for a new password', icon: 'lock', act: () => void resetPassword() },
        {
          label: 'Sign out everywhere',
          icon: 'signOut',
          act: () => void act(`${email} is signed out everywhere`, () => weft.call('signOutUser', { path: { id } })),
        },
        lockedAt === null
          ? { label: 'Lock', icon: 'ban', act: () => open({ kind: 'lock', user }) }
          : {
              label: 'Unlock',
              icon: 'check',
              act: () => void act(`${email} is unlocked`, () => weft.call('unlockUser', { path: { id } })),
            },
        { label: 'Delete', icon: 'trash', isDanger: true, act: () => open({ kind: 'delete', user }) },
      ]}
    >
      <Icon name="more" />
    </MenuButton>
  );
};

/** Users and invitations. */
export const PeoplePage = () => {
  const role = useQuery(callerQuery).data?.user.role;
  const list = useInfiniteQuery(userListQuery);
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<CreatedInvitation>();
  const [opened, open] = useState<Opened>();
  const close = (): void => open(undefined);
  const given = givenBy(role);
  const columns: readonly Column<User>[] = [
    {
      title: 'User',
      className: 'w',
      cell: ({ email, name, lockedAt }) => (
        <span className="nm">
          <b className="clip" title={email}>
            {email}
          </b>
          {name !== '' && <span className="soft clip">{name}</span>}
          {lockedAt !== null && (
            <span className="tag">
              <Icon name="lock" size={12} />
              locked
            </span>
          )}
        </span>
      ),
    },
    { title: 'Role', cell: (user) => <RoleCell user={user} given={given} /> },
    {
      title: 'Since',
      cell: ({ createdAt }) => (
        <span className="soft">
          <Ago at={createdAt} />
        </span>
      ),
    },
    {
      title: 'Actions',
      isBare: true,
      className: 'rowacts',
      cell: (user) => manages(role, user.role) && <UserMenu user={user} open={open} show={setLink} />,
    },
  ];
  return (
    <>
      <PageHead title="People">
        <span className="grow" />
        {given.length > 0 && (
          <button type="button" className="btn primary" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            Invite
          </button>
        )}
      </PageHead>
      <div className="page stack">
        {link !== undefined && <NewLink key={link.id} invitation={link} done={() => setLink(undefined)} />}
        <RecordList
          query={list}
          rows={entriesOf(list.data)}
          what="the users"
          label="Users"
          columns={columns}
          keyOf={({ id }) => id}
          empty={<p className="soft">There are no users.</p>}
        />
        {given.length > 0 && <Invitations />}
      </div>
      {isInviting && <Invite show={setLink} close={() => setInviting(false)} />}
      {opened?.kind === 'keys' && <UserKeys user={opened.user} close={close} />}
      {opened?.kind === 'lock' && <LockUser user={opened.user} close={close} />}
      {opened?.kind === 'delete' && <DeleteUser user={opened.user} close={close} />}
    </>
  );
};
