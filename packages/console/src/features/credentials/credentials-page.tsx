import type { Credential } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { credentialsQuery, credentialTypesQuery } from '../../api/credentials';
import { entriesOf } from '../../api/lists';
import { useOwners } from '../../api/owners';
import { useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { LoginState } from './login';
import { LastTest } from './test-credential';
import { UseCount } from './used-by';

const route = getRouteApi('/credentials');

const NewButton = () => (
  <Link className="btn primary" to="/credentials/new" search={{}}>
    <Icon name="plus" />
    <span>
      New<span className="only-wide"> credential</span>
    </span>
  </Link>
);

/** The credentials that the caller manages. */
export const CredentialsPage = () => {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(credentialsQuery(project));
  const types = useQuery(credentialTypesQuery).data;
  const { nameOf, all } = useOwners();
  const mayWrite = useMay('credentials:write');
  const columns: readonly Column<Credential>[] = [
    {
      title: 'Name',
      className: 'w',
      cell: (credential) => (
        <>
          <Link to="/credentials/$id" params={{ id: credential.id }} className="clip block" title={credential.name}>
            <b>{credential.name}</b>
          </Link>
          {credential.login === 'needsLogin' && (
            <span className="line">
              <LoginState credential={credential} />
              {mayWrite && (
                <Link to="/credentials/$id" params={{ id: credential.id }} className="lnk">
                  Sign in<span className="sr"> with {credential.name}</span>
                </Link>
              )}
            </span>
          )}
        </>
      ),
    },
    { title: 'Type', cell: ({ type }) => <span className="soft">{types?.get(type)?.label ?? type}</span> },
    { title: 'Belongs to', cell: ({ ownerId }) => <span className="soft">{nameOf(ownerId)}</span> },
    { title: 'Used by', cell: ({ id }) => <UseCount id={id} /> },
    { title: 'Last test', cell: ({ id }) => <LastTest id={id} /> },
    {
      title: 'Changed',
      cell: ({ updatedAt }) => (
        <span className="soft">
          <Ago at={updatedAt} />
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Credentials">
        <span className="grow" />
        <Stale query={list} />
        {mayWrite && <NewButton />}
      </PageHead>
      <div className="page">
        {all.length > 1 && (
          <div className="bar">
            <Picker
              label="Project"
              all="All projects"
              value={project}
              choices={all}
              change={(value) => void navigate({ search: { project: value }, replace: true })}
            />
          </div>
        )}
        <RecordList
          query={list}
          rows={entriesOf(list.data)}
          what="the credentials"
          label="Credentials"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState
              icon="key"
              tone="running"
              title={project === undefined ? 'No credentials yet' : 'No credential belongs to this project'}
              actions={mayWrite && <NewButton />}
            >
              <p>A credential holds the secrets with which nodes sign in to other services. They are stored sealed.</p>
            </PageState>
          }
        />
      </div>
    </>
  );
};
