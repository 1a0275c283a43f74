import type { Credential, CredentialType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { ownedBy } from '../../api/lists';
import { useOwners } from '../../api/owners';
import { callerQuery, queryClient, useMay } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { SelectField, TextField } from '../../ui/forms/fields';
import { Form } from '../../ui/forms/form';
import { notify } from '../../ui/overlays/toast';
import { CredentialFields } from './credential-fields';
import { dataOf, initialValues } from './field-values';

/** Owners that a new credential may have: those of which the caller manages credentials. */
const useCredentialOwners = (): readonly (readonly [string, string])[] => {
  const { data: caller } = useQuery(callerQuery);
  const { own } = useOwners();
  const managesAll = useMay('users:manage');
  if (managesAll) return own;
  return (caller?.projects ?? []).filter(({ role }) => role === 'admin').map(({ id, name }) => [id, name] as const);
};

/** The fields of a new credential of a type. */
export const CredentialForm = ({
  type,
  suggestedName = type.label,
  suggestedOwner,
  onCreated,
  cancel,
}: {
  type: CredentialType;
  suggestedName?: string;
  /** Id of a project or user; absent, or one that the caller cannot choose: the first choice. */
  suggestedOwner?: string;
  onCreated: (created: Pick<Credential, 'id' | 'name'>) => void | Promise<void>;
  cancel: () => void;
}) => {
  const owners = useCredentialOwners();
  const [name, setName] = useState(suggestedName);
  const [chosen, setChosen] = useState<string>();
  const [values, setValues] = useState(() => initialValues(type.fields));
  const owner = chosen ?? (owners.find(([id]) => id === suggestedOwner) ?? owners[0])?.[0];
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
    await onCreated({ id: data.id, name });
  };
  return (
    <Form action="Create" submit={create} cancel={cancel}>
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
  );
};
