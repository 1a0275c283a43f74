import type { CredentialType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { credentialTypesQuery } from '../../api/credentials';
import { Icon } from '../../ui/icon';
import { PageHead } from '../../ui/page';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { CredentialForm } from './credential-form';

const route = getRouteApi('/credentials/new');

const TypeList = ({ types }: { types: ReadonlyMap<string, CredentialType> }) => {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = [...types.values()]
    .filter(({ name, label }) => label.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <>
      <div className="bar">
        <label className="field grow find">
          <Icon name="search" />
          <span className="sr">Search credential types</span>
          <input
            type="search"
            value={text}
            maxLength={100}
            placeholder="Search by name"
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      </div>
      {found.length === 0 ? (
        <PageState icon="search" tone="neutral" title="No type matches">
          <p>A header, a query value or OAuth 2 works with any service that HTTP Request calls.</p>
        </PageState>
      ) : (
        <ul className="card picks" aria-label="Credential types">
          {found.map(({ name, label, hosts }) => (
            <li key={name}>
              <Link to="/credentials/new" search={{ type: name }}>
                <Icon name="key" />
                <b className="grow">{label}</b>
                <span className="faint clip">{hosts.length === 0 ? name : hosts.join(', ')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const NewForm = ({ type }: { type: CredentialType }) => {
  const navigate = useNavigate();
  return (
    <section className="card pad formcard" aria-label={type.label}>
      <CredentialForm
        type={type}
        onCreated={({ id }) => navigate({ to: '/credentials/$id', params: { id } })}
        cancel={() => void navigate({ to: '/credentials/new', search: {} })}
      />
    </section>
  );
};

/** Creates a credential: first its type, then its fields. */
export const NewCredentialPage = () => {
  const { type: wanted } = route.useSearch();
  const types = useQuery(credentialTypesQuery);
  const type = types.data?.get(wanted ?? '');
  return (
    <>
      <PageHead title={type === undefined ? 'New credential' : `New credential: ${type.label}`} />
      <div className="page">
        {types.isPending && <Loading label="Loading credential types" />}
        {types.isError && (
          <ErrorState error={types.error} what="the credential types" retry={() => void types.refetch()} />
        )}
        {types.data !== undefined &&
          (type === undefined ? <TypeList types={types.data} /> : <NewForm key={type.name} type={type} />)}
      </div>
    </>
  );
};
