import type { CheckedCredential } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { credentialTypesQuery } from '../../api/credentials';
import { usableCredentialsQuery } from '../../api/editor-queries';
import { useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';

const CreateCredential = lazy(() =>
  import('../credentials/create-credential').then((module) => ({ default: module.CreateCredential })),
);

/** Links a credential that the export names to one of this instance, or to one that is created here. */
export const CredentialRow = ({
  credential,
  ownerId,
  value,
  choose,
}: {
  credential: CheckedCredential;
  /** Owner of the imported workflows; absent: the caller. */
  ownerId: string | undefined;
  value: string;
  choose: (id: string) => void;
}) => {
  const { name, storedType: type, how } = credential;
  const all = useQuery(usableCredentialsQuery).data ?? [];
  const described = useQuery(credentialTypesQuery).data?.get(type);
  const mayManage = useMay('credentials:write');
  const [isCreating, setCreating] = useState(false);
  const choices = all.filter((one) => one.type === type);
  const isFound = value !== '' && choices.some(({ id }) => id === value);
  return (
    <li className="ed-import">
      <Icon name={isFound ? 'success' : 'alert'} />
      <span className="grow">
        <b>{name}</b>
        <small className="soft">
          {described?.label ?? type}
          {how === 'ambiguous' && ', several have this name'}
        </small>
      </span>
      <span className="picker">
        <select
          aria-label={`Credential for ${name}`}
          value={isFound ? value : ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{choices.length === 0 ? 'None of this type yet' : 'Not linked'}</option>
          {choices.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </span>
      {mayManage && described !== undefined && (
        <button type="button" className="btn sm" onClick={() => setCreating(true)}>
          <Icon name="plus" size={12} />
          Create<span className="sr"> a credential: {name}</span>
        </button>
      )}
      <Suspense>
        {isCreating && described !== undefined && (
          <CreateCredential
            type={described}
            suggestedName={name}
            suggestedOwner={ownerId}
            onCreated={({ id }) => choose(id)}
            close={() => setCreating(false)}
          />
        )}
      </Suspense>
    </li>
  );
};
