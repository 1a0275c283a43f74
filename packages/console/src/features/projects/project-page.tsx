import type { Project } from '@weft/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { useOwners } from '../../api/owners';
import { callerQuery, queryClient, useMay } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { SelectField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { Section } from '../../ui/lists/section';
import { MenuButton } from '../../ui/overlays/menu';
import { useTitle } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { notify } from '../../ui/overlays/toast';
import { Members } from './members';

const route = getRouteApi('/projects/$id');

const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: async ({ signal }) => (await weft.call('getProject', { path: { id }, signal })).data,
  });

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['projects'] });

interface DialogProps {
  readonly project: Project;
  readonly close: () => void;
}

const Rename = ({ project: { id, name: before, closed }, close }: DialogProps) => {
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title="Rename the project"
      action="Rename"
      close={close}
      submit={async () => {
        await weft.call('renameProject', { path: { id }, body: { name, closed } });
        notify(`Renamed to ${name}`);
        await readAgain();
      }}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={100} isRequired />
    </FormDialog>
  );
};

const SetClosed = ({ project: { id, name, closed }, close }: DialogProps) => (
  <Confirm
    title={closed ? 'Open the project?' : 'Close the project?'}
    action={closed ? 'Open' : 'Close the project'}
    close={close}
    act={async () => {
      await weft.call('renameProject', { path: { id }, body: { name, closed: !closed } });
      notify(`${name} is ${closed ? 'open' : 'closed'}`);
      await readAgain();
    }}
  >
    <p>
      {closed
        ? `Every user will be able to read ${name}, including executions and their data.`
        : `Only members of ${name}, owners and admins will be able to read it. That takes two seconds.`}
    </p>
  </Confirm>
);

const Delete = ({ project: { id, name }, close }: DialogProps) => {
  const navigate = useNavigate();
  const { own } = useOwners();
  const [heir, setHeir] = useState('');
  return (
    <FormDialog
      title="Delete the project?"
      action="Delete"
      close={close}
      submit={async () => {
        await weft.call('deleteProject', { path: { id }, query: heir === '' ? {} : { transferTo: heir } });
        notify(`${name} was deleted`);
        await navigate({ to: '/projects' });
        await readAgain();
      }}
    >
      <p>{name} is deleted for good.</p>
      <SelectField
        name="transferTo"
        label="Who gets what it owns"
        value={heir}
        change={setHeir}
        choices={[['', 'No one: only if it owns nothing'], ...own.filter(([one]) => one !== id)]}
      />
    </FormDialog>
  );
};

/** A project: its members, and what it owns. */
export const ProjectPage = () => {
  const { id } = route.useParams();
  const query = useQuery(projectQuery(id));
  const { data: caller } = useQuery(callerQuery);
  const managesAll = useMay('users:manage');
  const [opened, open] = useState<'rename' | 'closed' | 'delete'>();
  const close = (): void => open(undefined);
  useTitle(query.data?.name ?? 'Project');
  if (query.isError && query.data === undefined)
    return (
      <ErrorState
        isPage
        error={query.error}
        what="this project"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/projects">
            All projects
          </Link>
        }
      />
    );
  if (query.data === undefined) return <Loading label="Loading the project" />;
  const project = query.data;
  const isAdmin = caller?.projects.some((one) => one.id === id && one.role === 'admin') ?? false;
  const mayManage = managesAll || isAdmin;
  return (
    <>
      <header className="top">
        <Link className="btn quiet icon" to="/projects" aria-label="Back to projects">
          <Icon name="back" />
        </Link>
        <h1 className="grow clip" title={project.name}>
          {project.name}
        </h1>
        {mayManage && (
          <MenuButton
            label="Actions"
            entries={[
              { label: 'Rename', icon: 'pen', act: () => open('rename') },
              {
                label: project.closed ? 'Open to all users' : 'Close to others',
                icon: 'lock',
                act: () => open('closed'),
              },
              ...(managesAll
                ? [{ label: 'Delete', icon: 'trash' as const, isDanger: true, act: () => open('delete') }]
                : []),
            ]}
          >
            <Icon name="more" />
          </MenuButton>
        )}
      </header>
      <div className="page">
        <div className="parts">
          <Section title="Project">
            <p>
              {project.closed ? (
                <span className="st neutral">
                  <Icon name="lock" />
                  Closed: only members, owners and admins can read it
                </span>
              ) : (
                <span className="soft">Open: all users can read it</span>
              )}
            </p>
            <p className="linkline">
              <Link className="lnk" to="/workflows" search={{ project: id }}>
                Workflows
              </Link>
              <Link className="lnk" to="/executions" search={{ project: id }}>
                Executions
              </Link>
              <Link className="lnk" to="/credentials" search={{ project: id }}>
                Credentials
              </Link>
            </p>
          </Section>
          <Members project={project} mayManage={mayManage} />
        </div>
      </div>
      {opened === 'rename' && <Rename project={project} close={close} />}
      {opened === 'closed' && <SetClosed project={project} close={close} />}
      {opened === 'delete' && <Delete project={project} close={close} />}
    </>
  );
};
