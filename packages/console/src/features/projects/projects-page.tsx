import type { Project } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { projectsQuery } from '../../api/owners';
import { callerQuery, queryClient, useMay } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { CheckField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead } from '../../ui/page';
import { PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';

const NewProject = ({ close }: { close: () => void }) => {
  const [name, setName] = useState('');
  const [closed, setClosed] = useState(false);
  const navigate = useNavigate();
  return (
    <FormDialog
      title="New project"
      action="Create"
      close={close}
      submit={async () => {
        const { data } = await weft.call('createProject', { body: { name, closed }, headers: onceOnly() });
        notify(`${name} was created`);
        await queryClient.invalidateQueries({ queryKey: ['projects'] });
        await navigate({ to: '/projects/$id', params: { id: data.id } });
      }}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={100} isRequired />
      <CheckField
        label="Closed"
        value={closed}
        change={setClosed}
        hint="Only members, owners and admins can read what it owns. All users can read an open project."
      />
    </FormDialog>
  );
};

/** Projects that the caller can see. */
export const ProjectsPage = () => {
  const list = useQuery(projectsQuery);
  const { data: caller } = useQuery(callerQuery);
  const mayCreate = useMay('users:manage');
  const [isCreating, setCreating] = useState(false);
  const roles = new Map(caller?.projects.map(({ id, role }) => [id, role]));
  const newButton = mayCreate && (
    <button type="button" className="btn primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> project</span>
      </span>
    </button>
  );
  const columns: readonly Column<Project>[] = [
    {
      title: 'Name',
      className: 'w',
      cell: ({ id, name }) => (
        <Link to="/projects/$id" params={{ id }} className="clip block" title={name}>
          <b>{name}</b>
        </Link>
      ),
    },
    {
      title: 'Readable by',
      cell: ({ closed }) =>
        closed ? (
          <span className="st neutral">
            <Icon name="lock" size={12} />
            members
          </span>
        ) : (
          <span className="soft">all users</span>
        ),
    },
    { title: 'Your role', cell: ({ id }) => <span className="soft">{roles.get(id) ?? '–'}</span> },
    {
      title: 'Created',
      cell: ({ createdAt }) => (
        <span className="soft">
          <Ago at={createdAt} />
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Projects">
        <span className="grow" />
        {newButton}
      </PageHead>
      <div className="page">
        <RecordList
          query={list}
          rows={list.data}
          what="the projects"
          label="Projects"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState icon="folder" tone="running" title="No projects yet" actions={newButton}>
              <p>A project owns workflows, credentials, variables and tables for all its members.</p>
            </PageState>
          }
        />
      </div>
      {isCreating && <NewProject close={() => setCreating(false)} />}
    </>
  );
};
