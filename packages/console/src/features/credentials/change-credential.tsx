import type { Credential, CredentialType } from '@weft/client';
import { useState } from 'react';
import { weft } from '../../api/client';
import { queryClient, useMay } from '../../api/queries';
import { ifMatch, useTag } from '../../api/tagged';
import { TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/overlays/toast';
import { CredentialFields } from './credential-fields';
import { dataOf, initialValues } from './field-values';

interface Props {
  readonly credential: Credential;
  readonly type: CredentialType;
}

/** Changes apply only to the version that the dialog was opened for. */
const change = async (
  { id }: Credential,
  tag: Promise<string | undefined>,
  body: { readonly name: string } | { readonly data: Record<string, unknown> },
): Promise<void> => {
  await weft.call('updateCredential', { path: { id }, body, headers: ifMatch(await tag) });
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['credential', id] }),
    queryClient.invalidateQueries({ queryKey: ['credentials'] }),
  ]);
};

const Rename = ({ credential, close }: { credential: Credential; close: () => void }) => {
  const [name, setName] = useState(credential.name);
  const tag = useTag(`/credentials/${credential.id}`);
  return (
    <FormDialog
      title="Rename the credential"
      action="Rename"
      close={close}
      submit={async () => {
        await change(credential, tag, { name });
        notify(`Renamed to ${name}`);
      }}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={128} isRequired />
    </FormDialog>
  );
};

const Replace = ({ credential, type, close }: Props & { close: () => void }) => {
  const [values, setValues] = useState(() => initialValues(type.fields));
  const tag = useTag(`/credentials/${credential.id}`);
  const keepsSecrets = useMay('users:manage');
  return (
    <FormDialog
      title={`Replace the data of ${credential.name}`}
      action="Replace"
      close={close}
      submit={async () => {
        await change(credential, tag, { data: dataOf(type.fields, values) });
        notify(`The data of ${credential.name} was replaced`);
      }}
    >
      <p className="soft">
        Stored data is never shown, so enter all fields again.
        {keepsSecrets && ' Secrets that you leave empty stay as they are.'}
      </p>
      <CredentialFields type={type} values={values} change={setValues} keepsSecrets={keepsSecrets} />
    </FormDialog>
  );
};

/** Renames a credential, or replaces its data. */
export const ChangeCredential = (props: Props) => {
  const [opened, open] = useState<'rename' | 'replace'>();
  const close = (): void => open(undefined);
  return (
    <div className="line">
      <span className="masks" aria-hidden="true">
        ••••••••
      </span>
      <span className="soft grow">The data is stored sealed.</span>
      <button type="button" className="btn" onClick={() => open('rename')}>
        <Icon name="pen" />
        Rename
      </button>
      <button type="button" className="btn" onClick={() => open('replace')}>
        <Icon name="key" />
        Replace data
      </button>
      {opened === 'rename' && <Rename {...props} close={close} />}
      {opened === 'replace' && <Replace {...props} close={close} />}
    </div>
  );
};
