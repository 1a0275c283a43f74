import type { Project, ProjectMember } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { membersQuery } from '../../api/people';
import { queryClient, useMay } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { errorText } from '../../ui/values/format';
import { SelectField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { Section } from '../../ui/lists/section';
import { notify } from '../../ui/overlays/toast';

type Role = ProjectMember['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'viewer: reads'],
  ['editor', 'editor: changes the contents'],
  ['admin', 'admin: also members and credentials'],
];

const roleIn = (word: string): Role => ROLES.find(([role]) => role === word)?.[0] ?? 'viewer';

const readAgain = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['projects'] }),
    queryClient.invalidateQueries({ queryKey: ['caller'] }),
  ]);

const AddMember = ({ project, close }: { project: Project; close: () => void }) => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const mayInvite = useMay('users:manage');
  return (
    <FormDialog
      title={`Add a member to ${project.name}`}
      action="Add"
      close={close}
      submit={async () => {
        await weft.call('addProjectMember', { path: { id: project.id }, body: { email, role } });
        notify(`${email} is a member`);
        await readAgain();
      }}
    >
      <TextField
        name="email"
        label="Email of a user"
        type="email"
        value={email}
        change={setEmail}
        hint={
          mayInvite ? (
            <>
              Someone without an account is{' '}
              <Link className="lnk" to="/people">
                invited
              </Link>{' '}
              first.
            </>
          ) : (
            'Owners and admins of the instance invite people without an account.'
          )
        }
        maxLength={254}
        isRequired
      />
      <SelectField
        name="role"
        label="Role in the project"
        value={role}
        change={(word) => setRole(roleIn(word))}
        choices={ROLES}
      />
    </FormDialog>
  );
};

/** Members of a project and their roles in it. */
export const Members = ({ project, mayManage }: { project: Project; mayManage: boolean }) => {
  const query = useQuery(membersQuery(project.id));
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ProjectMember>();
  const changeRole = async ({ userId, email }: ProjectMember, role: Role): Promise<void> => {
    try {
      await weft.call('putProjectMember', { path: { id: project.id, userId }, body: { role } });
      notify(`${email} now has the role ${role} in ${project.name}`);
    } catch (error) {
      notify('Could not change the role', 'error', errorText(error));
    } finally {
      await readAgain();
    }
  };
  const columns: readonly Column<ProjectMember>[] = [
    {
      title: 'User',
      className: 'w',
      cell: ({ email, name }) => (
        <span className="nm">
          <b className="clip" title={email}>
            {email}
          </b>
          {name !== '' && <span className="soft clip">{name}</span>}
        </span>
      ),
    },
    {
      title: 'Role',
      cell: (member) =>
        mayManage ? (
          <select
            className="select short"
            aria-label={`Role of ${member.email} in ${project.name}`}
            value={member.role}
            onChange={({ target }) => void changeRole(member, roleIn(target.value))}
          >
            {ROLES.map(([role]) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        ) : (
          <span className="soft">{member.role}</span>
        ),
    },
    {
      title: 'Remove',
      isBare: true,
      className: 'rowacts',
      cell: (member) =>
        mayManage && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Remove ${member.email} from ${project.name}`}
            onClick={() => setRemoved(member)}
          >
            Remove
          </button>
        ),
    },
  ];
  return (
    <Section
      title="Members"
      hint="A role in a project applies within the role of the user in the instance."
      actions={
        mayManage && (
          <button type="button" className="btn sm" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            Add
          </button>
        )
      }
    >
      <RecordList
        query={query}
        rows={query.data}
        what="the members"
        label="Members"
        columns={columns}
        keyOf={({ userId }) => userId}
        empty={<p className="soft">It has no members. Owners and admins of the instance can change it.</p>}
      />
      {isAdding && <AddMember project={project} close={() => setAdding(false)} />}
      {removed !== undefined && (
        <Confirm
          title="Remove the member?"
          action="Remove"
          isDanger
          close={() => setRemoved(undefined)}
          act={async () => {
            try {
              await weft.call('removeProjectMember', { path: { id: project.id, userId: removed.userId } });
              notify(`${removed.email} was removed`);
            } finally {
              await readAgain();
            }
          }}
        >
          <p>
            {removed.email} can no longer change anything in {project.name}
            {project.closed ? ', or read it' : ''}.
          </p>
        </Confirm>
      )}
    </Section>
  );
};
