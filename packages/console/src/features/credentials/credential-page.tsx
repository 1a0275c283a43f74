import type { Credential } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { credentialQuery, credentialTypesQuery } from '../../api/credentials';
import { useOwners } from '../../api/owners';
import { queryClient, useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { Section } from '../../ui/lists/section';
import { useTitle } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { MoveDialog } from '../projects/move-dialog';
import { DeleteCredential } from './delete-credential';
import { ChangeCredential } from './change-credential';
import { Grants } from './grants';
import { Login, maySignIn } from './login';
import { TestCredential } from './test-credential';
import { UsedBy } from './used-by';

const route = getRouteApi('/credentials/$id');

const Head = ({ credential }: { credential: Credential }) => {
  const { id, name } = credential;
  const mayWrite = useMay('credentials:write');
  const mayMove = useMay('users:manage');
  const [isMoving, setMoving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  useTitle(name);
  return (
    <header className="top">
      <Link className="btn quiet icon" to="/credentials" search={{}} aria-label="Back to credentials">
        <Icon name="back" />
      </Link>
      <h1 className="grow clip" title={name}>
        {name}
      </h1>
      {mayMove && (
        <button type="button" className="btn only-wide" onClick={() => setMoving(true)}>
          <Icon name="folder" />
          Move
        </button>
      )}
      {mayWrite && (
        <button type="button" className="btn" onClick={() => setDeleting(true)}>
          <Icon name="trash" />
          Delete
        </button>
      )}
      {isMoving && (
        <MoveDialog
          what={name}
          ownerId={credential.ownerId}
          close={() => setMoving(false)}
          move={async (destinationProjectId) => {
            await weft.call('transferCredential', { path: { id }, body: { destinationProjectId } });
            notify(`${name} was moved`);
            await queryClient.invalidateQueries({ queryKey: ['credential', id] });
          }}
        >
          <p className="soft">Its grants end. Workflows of the old owner can no longer use it.</p>
        </MoveDialog>
      )}
      {isDeleting && <DeleteCredential credential={credential} close={() => setDeleting(false)} />}
    </header>
  );
};

/** A credential: its fields without their secrets, a test, the workflows that use it, and who may. */
export const CredentialPage = () => {
  const { id } = route.useParams();
  const query = useQuery(credentialQuery(id));
  const types = useQuery(credentialTypesQuery).data;
  const { nameOf } = useOwners();
  const mayWrite = useMay('credentials:write');
  if (query.isError && query.data === undefined)
    return (
      <ErrorState
        isPage
        error={query.error}
        what="this credential"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/credentials" search={{}}>
            All credentials
          </Link>
        }
      />
    );
  if (query.data === undefined) return <Loading label="Loading the credential" />;
  const credential = query.data;
  const type = types?.get(credential.type);
  return (
    <>
      <Head credential={credential} />
      <div className="page">
        <div className="parts">
          <Section title="Credential">
            <dl className="factlist">
              <div>
                <dt>Type</dt>
                <dd>{type?.label ?? credential.type}</dd>
              </div>
              <div>
                <dt>Belongs to</dt>
                <dd>{nameOf(credential.ownerId)}</dd>
              </div>
              <div>
                <dt>Changed</dt>
                <dd>
                  <Ago at={credential.updatedAt} />
                </dd>
              </div>
              <div>
                <dt>Id</dt>
                <dd>
                  <code>{id}</code>
                </dd>
              </div>
            </dl>
            {mayWrite && type !== undefined && <ChangeCredential credential={credential} type={type} />}
          </Section>
          {mayWrite && maySignIn(credential, type) && (
            <Section title="Sign-in">
              <Login credential={credential} />
            </Section>
          )}
          {mayWrite && (
            <Section title="Test">
              <TestCredential id={id} type={type} />
            </Section>
          )}
          <UsedBy id={id} />
          <Grants credential={credential} />
        </div>
      </div>
    </>
  );
};
