import type { CredentialType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { credentialTypesQuery } from '../../api/credentials';
import { ownedBy } from '../../api/lists';
import { useOwners } from '../../api/owners';
import { callerQuery, queryClient, useMay } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Form } from '../../ui/forms/form';
import { SelectField, TextField } from '../../ui/forms/fields';
import { Icon } from '../../ui/icon';
import { PageHead } from '../../ui/page';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { notify } from '../../ui/overlays/toast';
import { CredentialFields } from './credential-fields';
import { dataOf, initialValues } from './field-values';

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

/** Owners that a new credential may have: those of which the caller manages credentials. */
const useCredentialOwners = (): readonly (readonly [string, string])[] => {
  const { data: caller } = useQuery(callerQuery);
  const { own } = useOwners();
  const managesAll = useMay('users:manage');
  if (managesAll) return own;
  return (caller?.projects ?? []).filter(({ role }) => role === 'admin').map(({ id, name }) => [id, name] as const);
};

const NewForm = ({ type }: { type: CredentialType }) => {
  const navigate = useNavigate();
  const owners = useCredentialOwners();
  const [name, setName] = useState(type.label);
  const [chosen, setChosen] = useState<string>();
  const [values, setValues] = useState(() => initialValues(type.fields));
  const owner = chosen ?? owners[0]?.[0];
  const create = async (): Promise<void> => {
    const { data } = await weft.call('createCredential', {
      body: {
        name,
        type: type.name,
        data: dataOf(type.fields, values),
        ...ownedBy(owner),
      },
      headers: onceOnly(),
    });
    notify(`${name} was created`);
    await queryClient.invalidateQueries({ queryKey: ['credentials'] });
    await navigate({ to: '/credentials/$id', params: { id: data.id } });
  };
  return (
    <section className="card pad formcard" aria-label={type.label}>
      <Form action="Create" submit={create} cancel={() => void navigate({ to: '/credentials/new', search: {} })}>
        <TextField name="name" label="Name" value={name} change={setName} maxLength={128} isRequired />
        <SelectField
          name="projectId"
          label="Belongs to"
          value={owner ?? ''}
          change={setChosen}
          choices={owners}
          hint="Workflows of this owner may use it. You can grant it to others later."
        />
        <CredentialFields type={type} values={values} change={setValues} />
      </Form>
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
