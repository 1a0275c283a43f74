import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import type { Column, ColumnType } from './data-table';

/** What every row has besides its columns. */
export const SYSTEM_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'number',
  createdAt: 'date',
  updatedAt: 'date',
};

const MAX_NAME = 128;
const MAX_COLUMNS = 50;
const COLUMN_NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const TYPES: readonly ColumnType[] = ['string', 'number', 'boolean', 'date'];

/** Checks the name of a table, and gives it without space around it. @throws InvalidRequest */
export const checkTableName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= MAX_NAME) return trimmed;
  throw new InvalidRequest('The name of the data table cannot be used.', [
    { field: 'name', message: `Use 1 to ${MAX_NAME} characters.` },
  ]);
};

/** Checks the columns of a table. @throws InvalidRequest */
export const checkColumns = (columns: readonly { readonly name: string; readonly type: string }[]): Column[] => {
  const faults: FieldError[] = [];
  if (columns.length > MAX_COLUMNS) faults.push({ field: 'columns', message: `Use ${MAX_COLUMNS} at most.` });
  const seen = new Set<string>();
  const checked = columns.slice(0, MAX_COLUMNS).flatMap(({ name, type }, index): Column[] => {
    const field = `columns[${index}]`;
    const known = TYPES.find((one) => one === type);
    if (!COLUMN_NAME.test(name))
      faults.push({
        field: `${field}.name`,
        message: 'Use a letter, then letters, digits and underscores, 63 at most.',
      });
    else if (Object.hasOwn(SYSTEM_COLUMNS, name))
      faults.push({ field: `${field}.name`, message: `Every row has ${name} already.` });
    else if (seen.has(name.toLowerCase()))
      faults.push({ field: `${field}.name`, message: 'Another column has this name.' });
    if (known === undefined) faults.push({ field: `${field}.type`, message: `Use one of ${TYPES.join(', ')}.` });
    seen.add(name.toLowerCase());
    return known === undefined ? [] : [{ name, type: known }];
  });
  if (faults.length > 0) throw new InvalidRequest('The columns cannot be used.', faults.slice(0, 50));
  return checked;
};
