import type { DataTable } from '@weft/client';
import { useState } from 'react';
import { weft } from '../../api/client';
import { onceOnly } from '../../api/tagged';
import { plural } from '../../ui/values/format';
import { FormDialog } from '../../ui/forms/form';
import { SelectField, TextField } from '../../ui/forms/fields';
import { notify } from '../../ui/overlays/toast';
import { cellOf, rowsOfCsv } from './csv';

interface Props {
  readonly table: DataTable;
  /** Reads the rows again. */
  readonly changed: () => Promise<void>;
  readonly close: () => void;
}

/** Adds a row. */
export const AddRow = ({ table, changed, close }: Props) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  return (
    <FormDialog
      title="Add a row"
      action="Add"
      close={close}
      submit={async () => {
        const row = Object.fromEntries(
          table.columns.map((column) => [column.name, cellOf(column, values[column.name] ?? '')]),
        );
        await weft.call('insertRows', { path: { id: table.id }, body: { rows: [row] }, headers: onceOnly() });
        notify('The row was added');
        await changed();
      }}
    >
      {table.columns.map(({ name, type }) => {
        const common = {
          label: name,
          value: values[name] ?? '',
          change: (value: string) => setValues({ ...values, [name]: value }),
        };
        return type === 'boolean' ? (
          <SelectField
            key={name}
            {...common}
            choices={[
              ['', 'empty'],
              ['true', 'true'],
              ['false', 'false'],
            ]}
          />
        ) : (
          <TextField key={name} {...common} isCode hint={type === 'string' ? undefined : `A ${type}`} />
        );
      })}
    </FormDialog>
  );
};

const MAX_BYTES = 10_000_000;
/** Rows of one request. */
const AT_ONCE = 1_000;

/** Adds the rows of a CSV file, 1,000 at a time. */
export const ImportCsv = ({ table, changed, close }: Props) => {
  const [file, setFile] = useState<File>();
  const [added, setAdded] = useState(0);
  return (
    <FormDialog
      title={`Import CSV into ${table.name}`}
      action="Import"
      close={close}
      isDisabled={file === undefined}
      submit={async () => {
        if (file === undefined) return;
        if (file.size > MAX_BYTES) throw new Error('The file has more than 10 MB. Split it, or use the API.');
        const rows = await rowsOfCsv(await file.text(), table.columns);
        // A repetition continues after the rows that were added.
        for (let at = added; at < rows.length; at += AT_ONCE) {
          const part = rows.slice(at, at + AT_ONCE);
          await weft.call('insertRows', { path: { id: table.id }, body: { rows: part }, headers: onceOnly() });
          setAdded(at + part.length);
        }
        notify(`${plural(rows.length, 'row')} imported`);
        await changed();
      }}
    >
      <label className="labelled">
        File
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => {
            setFile(target.files?.[0]);
            setAdded(0);
          }}
        />
      </label>
      <p className="soft">
        The first line names columns: {table.columns.map(({ name }) => name).join(', ')}. Columns that are missing stay
        empty.
      </p>
      {added > 0 && <p role="status">{plural(added, 'row')} added so far.</p>}
    </FormDialog>
  );
};
