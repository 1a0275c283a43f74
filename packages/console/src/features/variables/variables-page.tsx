import type { Variable } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { entriesOf, ownedBy } from '../../api/lists';
import { variablesQuery } from '../../api/operate';
import { useOwners } from '../../api/owners';
import { queryClient, useMay } from '../../api/queries';
import { ifMatch, onceOnly, readTag } from '../../api/tagged';
import { Confirm } from '../../ui/overlays/dialog';
import { SelectField, TextArea, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { InPlace } from '../../ui/forms/in-place';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';

const route = getRouteApi('/variables');

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['variables'] });

const NewVariable = ({ project, close }: { project: string | undefined; close: () => void }) => {
  const { own } = useOwners();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [chosen, setChosen] = useState(project);
  const owner = chosen ?? own[0]?.[0];
  return (
    <FormDialog
      title="New variable"
      action="Create"
      close={close}
      submit={async () => {
        await weft.call('createVariable', {
          body: { key, value, ...ownedBy(owner) },
          headers: onceOnly(),
        });
        notify(`${key} was created`);
        await readAgain();
      }}
    >
      <TextField
        name="key"
        label="Name"
        value={key}
        change={setKey}
        maxLength={50}
        pattern="[A-Za-z0-9_]+"
        isRequired
        isCode
        hint="Letters, digits and _. Expressions read it as $vars.NAME."
      />
      <TextArea
        name="value"
        label="Value"
        value={value}
        change={setValue}
        maxLength={1_000}
        hint="Everyone who may read the project sees it: keep secrets in credentials."
      />
      <SelectField name="projectId" label="Belongs to" value={owner ?? ''} change={setChosen} choices={own} />
    </FormDialog>
  );
};

/** Saves a value unless someone else has changed the variable since editing began. */
const save = async ({ id, key }: Variable, value: string, tag: string | undefined): Promise<void> => {
  try {
    await weft.call('replaceVariable', { path: { id }, body: { key, value }, headers: ifMatch(tag) });
    notify(`${key} was changed`);
  } finally {
    await readAgain();
  }
};

/** Variables, with values that are edited in place. */
export const VariablesPage = () => {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(variablesQuery(project));
  const { nameOf, all, own } = useOwners();
  const mayWrite = useMay('workflows:write');
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Variable>();
  const changeable = new Set(own.map(([id]) => id));
  const managesAll = useMay('users:manage');
  const mayChange = ({ ownerId }: Variable): boolean => mayWrite && (managesAll || changeable.has(ownerId));
  const newButton = mayWrite && (
    <button type="button" className="btn primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> variable</span>
      </span>
    </button>
  );
  const columns: readonly Column<Variable>[] = [
    { title: 'Name', cell: ({ key }) => <code>{key}</code> },
    {
      title: 'Value',
      className: 'wrapcell w3',
      cell: (variable) =>
        mayChange(variable) ? (
          <InPlace
            label={`Value of ${variable.key}`}
            value={variable.value}
            maxLength={1_000}
            begin={() => readTag(`/variables/${variable.id}`)}
            save={(value, tag) => save(variable, value, tag)}
          />
        ) : (
          <code>{variable.value}</code>
        ),
    },
    { title: 'Belongs to', cell: ({ ownerId }) => <span className="soft">{nameOf(ownerId)}</span> },
    {
      title: 'Changed',
      cell: ({ updatedAt }) => (
        <span className="soft">
          <Ago at={updatedAt} />
        </span>
      ),
    },
    {
      title: 'Delete',
      isBare: true,
      className: 'rowacts',
      cell: (variable) =>
        mayChange(variable) && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Delete ${variable.key}`}
            onClick={() => setDeleted(variable)}
          >
            Delete
          </button>
        ),
    },
  ];
  return (
    <>
      <PageHead title="Variables">
        <span className="grow" />
        <Stale query={list} />
        {newButton}
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
          what="the variables"
          label="Variables"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState
              icon="variable"
              tone="running"
              title={project === undefined ? 'No variables yet' : 'No variable belongs to this project'}
              actions={newButton}
            >
              <p>
                Expressions read a variable as <code>$vars.NAME</code>. Runs that begin after a change see it.
              </p>
            </PageState>
          }
        />
      </div>
      {isCreating && <NewVariable project={project} close={() => setCreating(false)} />}
      {deleted !== undefined && (
        <Confirm
          title="Delete the variable?"
          action="Delete"
          isDanger
          close={() => setDeleted(undefined)}
          act={async () => {
            await weft.call('deleteVariable', { path: { id: deleted.id } });
            notify(`${deleted.key} was deleted`);
            await readAgain();
          }}
        >
          <p>{deleted.key} is undefined in runs that begin later.</p>
        </Confirm>
      )}
    </>
  );
};
