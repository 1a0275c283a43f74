import type { Args, EventSubscription } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { credentialsQuery } from '../../api/credentials';
import { entriesOf } from '../../api/lists';
import { useOwners } from '../../api/owners';
import { namesQuery, useMay } from '../../api/queries';
import { CheckField, SelectField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { type NamedWorkflow, WorkflowField } from '../../ui/forms/workflow-field';
import { Icon } from '../../ui/icon';

type Body = NonNullable<Args<'createEventSubscription'>['body']>;

const STATUSES = [
  ['', 'Every end'],
  ['error', 'Failures, with cancelled ones'],
  ['success', 'Successes'],
] as const;

/** Credentials that can sign requests. */
const useSigners = (): readonly (readonly [string, string])[] => {
  const mayRead = useMay('credentials:read');
  const list = useInfiniteQuery({ ...credentialsQuery(undefined), enabled: mayRead });
  return (entriesOf(list.data) ?? [])
    .filter(({ type }) => type === 'webhookSignature')
    .map(({ id, name }) => [id, name] as const);
};

const Workflows = ({ ids, change }: { ids: readonly string[]; change: (ids: readonly string[]) => void }) => {
  const names = useQuery(namesQuery(ids)).data;
  const [turn, setTurn] = useState(0);
  const add = (workflow: NamedWorkflow | null): void => {
    if (workflow === null) return;
    if (!ids.includes(workflow.id)) change([...ids, workflow.id]);
    // A new field is empty.
    setTurn(turn + 1);
  };
  return (
    <>
      <WorkflowField key={turn} label="Only these workflows" value={null} change={add} hint="None: all workflows." />
      {ids.length > 0 && (
        <ul className="chips" aria-label="Chosen workflows">
          {ids.map((id) => (
            <li key={id}>
              <button type="button" className="chip" onClick={() => change(ids.filter((one) => one !== id))}>
                <span className="clip">{names?.get(id) ?? id}</span>
                <span className="sr">: remove</span>
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Creates or changes a subscription. */
export const SubscriptionForm = ({
  subscription,
  project,
  submit,
  close,
}: {
  /** Absent: it creates one. */
  subscription?: EventSubscription;
  project?: string | undefined;
  submit: (body: Body) => Promise<void>;
  close: () => void;
}) => {
  const { own } = useOwners();
  const signers = useSigners();
  const managesAll = useMay('users:manage');
  const [name, setName] = useState(subscription?.name ?? '');
  const [url, setUrl] = useState(subscription?.url ?? 'https://');
  const [status, setStatus] = useState<string>(
    subscription?.statuses.length === 1 ? (subscription.statuses[0] ?? '') : '',
  );
  const [workflowIds, setWorkflowIds] = useState<readonly string[]>(subscription?.workflowIds ?? []);
  const [batch, setBatch] = useState(String(subscription?.batch ?? 1));
  const [credentialId, setCredentialId] = useState(subscription?.credentialId ?? '');
  const [allOwners, setAllOwners] = useState(subscription?.allOwners ?? false);
  const [chosen, setChosen] = useState(project);
  const owner = chosen ?? own[0]?.[0];
  const known = signers.some(([id]) => id === credentialId) || credentialId === '';
  const send = (): Promise<void> => {
    const statuses = (['success', 'error'] as const).filter((one) => status === '' || status === one);
    return submit({
      name,
      url,
      statuses,
      workflowIds: [...workflowIds],
      batch: Number(batch),
      allOwners,
      paused: subscription?.paused ?? false,
      ...(credentialId === '' ? {} : { credentialId }),
      ...(subscription === undefined && owner !== undefined ? { projectId: owner } : {}),
    });
  };
  return (
    <FormDialog
      title={subscription === undefined ? 'New event subscription' : `Change ${subscription.name}`}
      action={subscription === undefined ? 'Create' : 'Save'}
      submit={send}
      close={close}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={100} isRequired />
      <TextField
        name="url"
        label="Address"
        type="url"
        value={url}
        change={setUrl}
        maxLength={2_000}
        isRequired
        isCode
        hint="It receives a CloudEvent by POST and answers with 2xx."
      />
      {subscription === undefined && (
        <SelectField
          name="projectId"
          label="Executions of"
          value={owner ?? ''}
          change={setChosen}
          choices={own}
          hint="It is for the executions of this owner."
        />
      )}
      {managesAll && <CheckField label="Executions of all owners" value={allOwners} change={setAllOwners} />}
      <SelectField name="statuses" label="Sent after" value={status} change={setStatus} choices={STATUSES} />
      <Workflows ids={workflowIds} change={setWorkflowIds} />
      <SelectField
        name="credentialId"
        label="Signed with"
        value={credentialId}
        change={setCredentialId}
        choices={[['', 'Not signed'], ...(known ? [] : [[credentialId, 'Another credential'] as const]), ...signers]}
        hint={
          <>
            A credential of the type{' '}
            <Link className="lnk" to="/credentials/new" search={{ type: 'webhookSignature' }}>
              Signature of webhooks
            </Link>{' '}
            with the scheme standard; its previous secret signs as well.
          </>
        }
      />
      <TextField
        name="batch"
        label="Events per request"
        type="number"
        value={batch}
        change={setBatch}
        hint="From 1 to 50. Above 1, every request contains a list."
      />
    </FormDialog>
  );
};
