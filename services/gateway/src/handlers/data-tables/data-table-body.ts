import type { DataTableColumn } from '@weft/proto/data-tables';
import type { FieldError } from '@weft/service-kit/errors';
import { isJsonObject, type Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../../http/body-fields';

const SHOWN = ['id', 'createdAt', 'updatedAt'];

/** Reads the body of a new table. What GET gives can be sent back. @throws InvalidRequest */
export const readDataTableBody = (
  body: Json | undefined,
): { readonly name: string; readonly columns: DataTableColumn[] } => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('name', 'columns', ...SHOWN);
  fields.require('name', 'columns');
  const columns = (fields.array('columns') ?? []).flatMap((entry, index): DataTableColumn[] => {
    if (!isJsonObject(entry)) {
      fields.fault(`columns[${index}]`, 'must be an object');
      return [];
    }
    const column = readFields(entry, faults, `columns[${index}].`);
    column.allowOnly('name', 'type', 'id', 'index');
    column.require('name', 'type');
    return [{ name: column.string('name') ?? '', type: column.string('type') ?? '' }];
  });
  const name = fields.string('name') ?? '';
  refuseFieldErrors(faults);
  return { name, columns };
};

/** Reads the new name of a table; its columns cannot be changed, so they are passed over. @throws InvalidRequest */
export const readDataTableName = (body: Json | undefined): string => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('name', 'columns', ...SHOWN);
  fields.require('name');
  const name = fields.string('name') ?? '';
  refuseFieldErrors(faults);
  return name;
};

/** Reads rows that are to be added, each as JSON text. @throws InvalidRequest */
export const readRowsBody = (body: Json | undefined): string[] => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('rows');
  fields.require('rows');
  const rows = fields.array('rows') ?? [];
  rows.forEach((row, index) => {
    if (!isJsonObject(row)) fields.fault(`rows[${index}]`, 'must be an object with a value for each column');
  });
  refuseFieldErrors(faults);
  return rows.map((row) => JSON.stringify(row));
};
