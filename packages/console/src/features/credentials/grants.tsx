import type { Credential, CredentialGrant } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { grantsQuery } from '../../api/credentials';
import { byName, projectsQuery, useOwners, useUserName, useUsers } from '../../api/owners';
import { namesQuery, queryClient, useMay } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { FormDialog } from '../../ui/forms/form';
import { SelectField } from '../../ui/forms/fields';
import { type NamedWorkflow, WorkflowField } from '../../ui/forms/workflow-field';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { Section } from '../../ui/lists/section';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';

const KINDS = { project: 'Project', user: 'User', workflow: 'Workflow' } as const;
type Kind = keyof typeof KINDS;

const kindOf = ({ grantedTo = 'project' }: CredentialGrant): Kind => grantedTo;

const NewGrant = ({
  credential: { id, name, ownerId },
  taken,
  close,
}: {
  credential: Credential;
  taken: ReadonlySet<string>;
  close: () => void;
}) => {
  const managesUsers = useMay('users:manage');
  const { data: projects = [] } = useQuery(projectsQuery);
  const users = useUsers();
  const isFree = ([one]: readonly [string, string]): boolean => one !== ownerId && !taken.has(one);
  const choices = {
    project: projects
      .map((one) => [one.id, one.name] as const)
      .filter(isFree)
      .sort(byName),
    user: users
      .map((one) => [one.id, one.email] as const)
      .filter(isFree)
      .sort(byName),
  };
  const [kind, setKind] = useState<Kind>('project');
  const [chosen, setChosen] = useState<string>();
  const [workflow, setWorkflow] = useState<NamedWorkflow | null>(null);
  const grantedTo = kind === 'workflow' ? workflow?.id : (chosen ?? choices[kind][0]?.[0]);
  const kinds = (Object.keys(KINDS) as Kind[]).filter((one) => one !== 'user' || managesUsers);
  return (
    <FormDialog
      title={`Grant ${name}`}
      action="Grant"
      close={close}
      isDisabled={grantedTo === undefined}
      submit={async () => {
        if (grantedTo === undefined) return;
        await weft.call('grantCredential', { path: { id, grantedTo } });
        notify(`${name} was granted`);
        await queryClient.invalidateQueries({ queryKey: ['credential', id, 'grants'] });
      }}
    >
      <SelectField
        label="Granted to"
        value={kind}
        change={(value) => {
          setKind(kinds.find((one) => one === value) ?? 'project');
          setChosen(undefined);
        }}
        choices={kinds.map((one) => [one, KINDS[one]] as const)}
      />
      {kind === 'workflow' ? (
        <WorkflowField label="Workflow" value={workflow} change={setWorkflow} hint="Only this workflow may use it." />
      ) : choices[kind].length === 0 ? (
        <p className="soft">{kind === 'project' ? 'There is no other project.' : 'There is no other user.'}</p>
      ) : (
        <SelectField
          label={KINDS[kind]}
          value={grantedTo ?? ''}
          change={setChosen}
          choices={choices[kind]}
          hint={
            kind === 'project'
              ? 'All its workflows may use it. Members see its name and type, never its data.'
              : 'All workflows that this user owns may use it.'
          }
        />
      )}
    </FormDialog>
  );
};

/** Projects, users and workflows that may use a credential of another owner. */
export const Grants = ({ credential }: { credential: Credential }) => {
  const { id, name } = credential;
  const query = useQuery(grantsQuery(id));
  const { nameOf } = useOwners();
  const userName = useUserName();
  const mayWrite = useMay('credentials:write');
  const [isGranting, setGranting] = useState(false);
  const [revoked, setRevoked] = useState<CredentialGrant>();
  const workflowIds = (query.data ?? []).filter((grant) => kindOf(grant) === 'workflow').map((one) => one.projectId);
  const workflows = useQuery(namesQuery(workflowIds)).data;
  const granteeName = ({ projectId }: CredentialGrant): string => workflows?.get(projectId) ?? nameOf(projectId);
  const columns: readonly Column<CredentialGrant>[] = [
    { title: 'Granted to', className: 'w', cell: (grant) => <b className="clip block">{granteeName(grant)}</b> },
    { title: 'Kind', cell: (grant) => <span className="soft">{KINDS[kindOf(grant)]}</span> },
    { title: 'By', cell: ({ grantedBy }) => <span className="soft">{userName(grantedBy)}</span> },
    {
      title: 'Since',
      cell: ({ grantedAt }) => (
        <span className="soft">
          <Ago at={grantedAt} />
        </span>
      ),
    },
    {
      title: 'Revoke',
      isBare: true,
      className: 'rowacts',
      cell: (grant) =>
        mayWrite && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Revoke the grant to ${granteeName(grant)}`}
            onClick={() => setRevoked(grant)}
          >
            Revoke
          </button>
        ),
    },
  ];
  return (
    <Section
      title="Grants"
      hint="Workflows of the owner may use it. A grant lets others use it too, without seeing its data."
      actions={
        mayWrite && (
          <button type="button" className="btn sm" onClick={() => setGranting(true)}>
            <Icon name="plus" />
            Grant
          </button>
        )
      }
    >
      <RecordList
        query={query}
        rows={query.data}
        what="the grants"
        label="Grants"
        columns={columns}
        keyOf={({ projectId }) => projectId}
        empty={<p className="soft">It is not granted to anyone else.</p>}
      />
      {isGranting && (
        <NewGrant
          credential={credential}
          taken={new Set((query.data ?? []).map(({ projectId }) => projectId))}
          close={() => setGranting(false)}
        />
      )}
      {revoked !== undefined && (
        <Confirm
          title="Revoke the grant?"
          action="Revoke"
          isDanger
          close={() => setRevoked(undefined)}
          act={async () => {
            try {
              await weft.call('revokeCredential', { path: { id, grantedTo: revoked.projectId } });
              notify('The grant was revoked');
            } finally {
              await queryClient.invalidateQueries({ queryKey: ['credential', id, 'grants'] });
            }
          }}
        >
          <p>
            Nodes of {granteeName(revoked)} that use {name} will fail.
          </p>
        </Confirm>
      )}
    </Section>
  );
};
