import type { DataTable, DataTableRow } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { entriesOf, pagedQuery } from '../../api/lists';
import { tableQuery } from '../../api/operate';
import { useOwners } from '../../api/owners';
import { queryClient, useMay } from '../../api/queries';
import { ifMatch, useTag } from '../../api/tagged';
import { Confirm } from '../../ui/overlays/dialog';
import { CheckField, TextField } from '../../ui/forms/fields';
import { FormDialog } from '../../ui/forms/form';
import { InPlace } from '../../ui/forms/in-place';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { MenuButton } from '../../ui/overlays/menu';
import { useTitle } from '../../ui/page';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { notify } from '../../ui/overlays/toast';
import { cellOf, type TableColumn, textOfCell } from './csv';
import { AddRow, ImportCsv } from './row-dialogs';

const route = getRouteApi('/tables/$id');

const rowsQuery = (id: string) =>
  pagedQuery<DataTableRow>(['tables', 'one', id, 'rows'], (page, signal) =>
    weft.call('listRows', { path: { id }, query: page, signal }),
  );

const readAgain = (id: string) => queryClient.invalidateQueries({ queryKey: ['tables', 'one', id] });

const Cell = ({ table, row, column }: { table: DataTable; row: DataTableRow; column: TableColumn }) => {
  const text = textOfCell(row[column.name]);
  return (
    <InPlace
      label={`${column.name} of row ${row.id}`}
      value={text}
      maxLength={100_000}
      begin={() => Promise.resolve(undefined)}
      save={async (value) => {
        await weft.call('updateRow', {
          path: { id: table.id, rowId: String(row.id) },
          body: { values: { [column.name]: cellOf(column, value) } },
        });
        await readAgain(table.id);
      }}
    />
  );
};

const Rename = ({ table, close }: { table: DataTable; close: () => void }) => {
  const [name, setName] = useState(table.name);
  const [shared, setShared] = useState(table.shared);
  const tag = useTag(`/data-tables/${table.id}`);
  return (
    <FormDialog
      title="Settings of the table"
      action="Save"
      close={close}
      submit={async () => {
        await weft.call('renameDataTable', {
          path: { id: table.id },
          body: { name, shared },
          headers: ifMatch(await tag),
        });
        notify('The table was changed');
        await queryClient.invalidateQueries({ queryKey: ['tables'] });
      }}
    >
      <TextField name="name" label="Name" value={name} change={setName} maxLength={128} isRequired />
      <CheckField
        label="Shared"
        value={shared}
        change={setShared}
        hint="Editors and workflows of other owners may write its rows."
      />
    </FormDialog>
  );
};

const Rows = ({ table, mayWrite }: { table: DataTable; mayWrite: boolean }) => {
  const list = useInfiniteQuery(rowsQuery(table.id));
  const [deleted, setDeleted] = useState<DataTableRow>();
  const columns: readonly Column<DataTableRow>[] = [
    { title: 'Row', cell: ({ id }) => <span className="soft num">{id}</span> },
    ...table.columns.map((column): Column<DataTableRow> => ({
      title: column.name,
      className: 'cellvalue',
      cell: (row) =>
        mayWrite ? (
          <Cell table={table} row={row} column={column} />
        ) : (
          <code className="clip block">{textOfCell(row[column.name])}</code>
        ),
    })),
    {
      title: 'Delete',
      isBare: true,
      className: 'rowacts',
      cell: (row) =>
        mayWrite && (
          <button
            type="button"
            className="btn quiet icon"
            aria-label={`Delete row ${row.id}`}
            onClick={() => setDeleted(row)}
          >
            <Icon name="trash" />
          </button>
        ),
    },
  ];
  return (
    <>
      <RecordList
        query={list}
        rows={entriesOf(list.data)}
        what="the rows"
        label="Rows"
        columns={columns}
        keyOf={({ id }) => String(id)}
        empty={
          <PageState icon="table" tone="neutral" title="No rows yet">
            <p>Add one, import a CSV file, or let a workflow write them.</p>
          </PageState>
        }
      />
      {deleted !== undefined && (
        <Confirm
          title="Delete the row?"
          action="Delete"
          isDanger
          close={() => setDeleted(undefined)}
          act={async () => {
            await weft.call('deleteRow', { path: { id: table.id, rowId: String(deleted.id) } });
            notify(`Row ${deleted.id} was deleted`);
            await readAgain(table.id);
          }}
        >
          <p>Row {deleted.id} is deleted for good.</p>
        </Confirm>
      )}
    </>
  );
};

/** A data table with its rows. */
export const TablePage = () => {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const query = useQuery(tableQuery(id));
  const { own } = useOwners();
  const mayWrite = useMay('workflows:write');
  const managesAll = useMay('users:manage');
  const [opened, open] = useState<'add' | 'import' | 'settings' | 'delete'>();
  const close = (): void => open(undefined);
  useTitle(query.data?.name ?? 'Data table');
  if (query.isError && query.data === undefined)
    return (
      <ErrorState
        isPage
        error={query.error}
        what="this table"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/tables" search={{}}>
            All tables
          </Link>
        }
      />
    );
  if (query.data === undefined) return <Loading label="Loading the table" />;
  const table = query.data;
  const isOwn = managesAll || own.some(([one]) => one === table.ownerId);
  const mayWriteRows = mayWrite && (isOwn || table.shared);
  const changed = async (): Promise<void> => {
    await readAgain(id);
  };
  return (
    <>
      <header className="top">
        <Link className="btn quiet icon" to="/tables" search={{}} aria-label="Back to data tables">
          <Icon name="back" />
        </Link>
        <h1 className="grow clip" title={table.name}>
          {table.name}
        </h1>
        {mayWriteRows && (
          <>
            <button type="button" className="btn only-wide" onClick={() => open('import')}>
              <Icon name="upload" />
              Import CSV
            </button>
            <button type="button" className="btn primary" onClick={() => open('add')}>
              <Icon name="plus" />
              <span>
                Add<span className="only-wide"> row</span>
              </span>
            </button>
            <MenuButton
              label="Actions"
              entries={[
                { label: 'Import CSV', icon: 'upload', act: () => open('import') },
                ...(mayWrite && isOwn
                  ? [
                      { label: 'Name and sharing', icon: 'pen' as const, act: () => open('settings') },
                      {
                        label: 'Delete the table',
                        icon: 'trash' as const,
                        isDanger: true,
                        act: () => open('delete'),
                      },
                    ]
                  : []),
              ]}
            >
              <Icon name="more" />
            </MenuButton>
          </>
        )}
      </header>
      <div className="page">
        <Rows table={table} mayWrite={mayWriteRows} />
      </div>
      {opened === 'add' && <AddRow table={table} changed={changed} close={close} />}
      {opened === 'import' && <ImportCsv table={table} changed={changed} close={close} />}
      {opened === 'settings' && <Rename table={table} close={close} />}
      {opened === 'delete' && (
        <Confirm
          title="Delete the table?"
          action="Delete"
          isDanger
          close={close}
          act={async () => {
            await weft.call('deleteDataTable', { path: { id } });
            notify(`${table.name} was deleted`);
            await navigate({ to: '/tables', search: {} });
            await queryClient.invalidateQueries({ queryKey: ['tables'] });
          }}
        >
          <p>{table.name} is deleted with all its rows.</p>
        </Confirm>
      )}
    </>
  );
};
