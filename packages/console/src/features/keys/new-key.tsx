import type { CreatedApiKey } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../api/client';
import { callerQuery, queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { FormDialog } from '../../ui/forms/form';
import { CheckField, SelectField, TextField } from '../../ui/forms/fields';
import { type Access, SCOPES, scopesOf } from './scopes';

const ACCESS: readonly (readonly [Access, string])[] = [
  ['all', 'Everything that you may do'],
  ['read', 'Read only'],
  ['chosen', 'Selected permissions'],
];

const EXPIRIES = [
  ['30', 'In 30 days'],
  ['7', 'In 7 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['', 'Never'],
] as const;

const DAY_MS = 86_400_000;

/** Creates a key; its value is passed on once. */
export const NewKey = ({ show, close }: { show: (key: CreatedApiKey) => void; close: () => void }) => {
  const permissions = useQuery(callerQuery).data?.permissions ?? [];
  const [name, setName] = useState('');
  const [days, setDays] = useState<string>('30');
  const [access, setAccess] = useState<Access>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (scope: string, isOn: boolean): void => {
    const next = new Set(chosen);
    if (isOn) next.add(scope);
    else next.delete(scope);
    setChosen(next);
  };
  const create = async (): Promise<void> => {
    const scopes = scopesOf(access, chosen, permissions);
    if (scopes?.length === 0) throw new Error('Choose at least one permission.');
    const { data } = await weft.call('createApiKey', {
      body: {
        name: name.trim(),
        ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        ...(scopes === undefined ? {} : { scopes }),
      },
      headers: onceOnly(),
    });
    show(data);
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <FormDialog title="New API key" action="Create" submit={create} close={close}>
      <TextField
        name="name"
        label="Name"
        value={name}
        change={setName}
        maxLength={100}
        isRequired
        placeholder="The client that uses it"
      />
      <SelectField name="expiresAt" label="Expires" value={days} change={setDays} choices={EXPIRIES} />
      <SelectField
        name="scopes"
        label="May do"
        value={access}
        change={(value) => setAccess(ACCESS.find(([word]) => word === value)?.[0] ?? 'all')}
        choices={ACCESS}
      />
      {access === 'chosen' && (
        <fieldset className="choices">
          <legend>Permissions</legend>
          {Object.entries(SCOPES)
            .filter(([scope]) => permissions.includes(scope))
            .map(([scope, label]) => (
              <CheckField key={scope} label={label} value={chosen.has(scope)} change={(isOn) => toggle(scope, isOn)} />
            ))}
        </fieldset>
      )}
    </FormDialog>
  );
};
