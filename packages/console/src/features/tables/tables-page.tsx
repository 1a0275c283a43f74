import type { DataTable } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { entriesOf, ownedBy } from '../../api/lists';
import { tablesQuery } from '../../api/operate';
import { useOwners } from '../../api/owners';
import { queryClient, useMay } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { CheckField, SelectField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';

const route = getRouteApi('/tables');

type NewColumn = { readonly name: string; readonly type: 'string' | 'number' | 'boolean' | 'date' };

const TYPES = ['string', 'number', 'boolean', 'date'] as const;
const MAX_COLUMNS = 50;

const ColumnFields = ({
  columns,
  change,
}: {
  columns: readonly NewColumn[];
  change: (columns: readonly NewColumn[]) => void;
}) => (
  <fieldset className="choices">
    <legend>Columns</legend>
    {columns.map((column, at) => (
      <div key={at} className="columnline">
        <span className="field codefield grow">
          <input
            aria-label={`Name of column ${at + 1}`}
            value={column.name}
            required
            pattern="[A-Za-z][A-Za-z0-9_]*"
            maxLength={63}
            onChange={({ target }) =>
              change(columns.map((one, index) => (index === at ? { ...one, name: target.value } : one)))
            }
          />
        </span>
        <select
          className="select short"
          aria-label={`Type of column ${at + 1}`}
          value={column.type}
          onChange={({ target }) => {
            const type = TYPES.find((one) => one === target.value) ?? 'string';
            change(columns.map((one, index) => (index === at ? { ...one, type } : one)));
          }}
        >
          {TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`Remove column ${at + 1}`}
          disabled={columns.length === 1}
          onClick={() => change(columns.filter((_, index) => index !== at))}
        >
          <Icon name="close" />
        </button>
      </div>
    ))}
    <button
      type="button"
      className="btn sm"
      disabled={columns.length >= MAX_COLUMNS}
      onClick={() => change([...columns, { name: '', type: 'string' }])}
    >
      <Icon name="plus" />
      Column
    </button>
  </fieldset>
);

const NewTable = ({ project, close }: { project: string | undefined; close: () => void }) => {
  const navigate = useNavigate();
  const { own } = useOwners();
  const [name, setName] = useState('');
  const [columns, setColumns] = useState<readonly NewColumn[]>([{ name: '', type: 'string' }]);
  const [shared, setShared] = useState(false);
  const [chosen, setChosen] = useState(project);
  const owner = chosen ?? own[0]?.[0];
  return (
    <FormDialog
      title="New data table"
      action="Create"
      close={close}
      submit={async () => {
        const { data } = await weft.call('createDataTable', {
          body: { name, columns: [...columns], shared, ...ownedBy(owner) },
          headers: onceOnly(),
        });
        await queryClient.invalidateQueries({ queryKey: ['tables'] });
        await navigate({ to: '/tables/$id', params: { id: data.id } });
      }}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={128} isRequired />
      <ColumnFields columns={columns} change={setColumns} />
      <SelectField name="projectId" label="Belongs to" value={owner ?? ''} change={setChosen} choices={own} />
      <CheckField
        label="Shared"
        value={shared}
        change={setShared}
        hint="Editors and workflows of other owners may write its rows."
      />
    </FormDialog>
  );
};

/** Data tables. */
export const TablesPage = () => {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(tablesQuery(project));
  const { nameOf, all } = useOwners();
  const mayWrite = useMay('workflows:write');
  const [isCreating, setCreating] = useState(false);
  const newButton = mayWrite && (
    <button type="button" className="btn primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> table</span>
      </span>
    </button>
  );
  const columns: readonly Column<DataTable>[] = [
    {
      title: 'Name',
      className: 'w',
      cell: ({ id, name }) => (
        <Link to="/tables/$id" params={{ id }} className="clip block" title={name}>
          <b>{name}</b>
        </Link>
      ),
    },
    {
      title: 'Columns',
      className: 'wrapcell',
      cell: (table) => <span className="soft">{table.columns.map(({ name }) => name).join(', ')}</span>,
    },
    {
      title: 'Belongs to',
      cell: ({ ownerId, shared }) => (
        <span className="soft">
          {nameOf(ownerId)}
          {shared && ', shared'}
        </span>
      ),
    },
    {
      title: 'Created',
      cell: ({ createdAt }) => (
        <span className="soft">
          <Ago at={createdAt} />
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Data tables">
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
          what="the data tables"
          label="Data tables"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState
              icon="table"
              tone="running"
              title={project === undefined ? 'No data tables yet' : 'No table belongs to this project'}
              actions={newButton}
            >
              <p>A data table keeps rows between runs. The Data table node reads and writes them.</p>
            </PageState>
          }
        />
      </div>
      {isCreating && <NewTable project={project} close={() => setCreating(false)} />}
    </>
  );
};
