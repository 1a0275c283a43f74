import type { Json, JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { AppRun } from '../app-run';
import { buildCall } from '../build-call';
import type { PreparedRequest } from '../prepare-request';
import { sendCall } from '../send-call';
import type { TemplateScope } from '../template-scope';
import { mappedRecord, mappingOf, type MappingSettings } from './map-records';
import { type ExtraFields, headerOf, numberOf, type PlacedTable, planRows, type RowsPlan } from './plan-rows';
import type { PreparedRows } from './prepare-rows';
import { placedTable, readTable } from './read-items';
import type { ItemResults } from '../item-results';
import type { RowsItem } from './run-rows';

/** Maximum number of cells in one request. */
const MAX_CELLS = 20_000;

/** An item, and the values it gives for the columns of the table. */
interface MappedItem {
  readonly item: RowsItem;
  readonly record: JsonObject;
}

/** How the items of a table are written, as the first of them says. */
interface TableWrite {
  readonly mode: 'append' | 'update' | 'upsert';
  readonly mapping: MappingSettings;
  /** True if the fields of the items are the values. */
  readonly isAutomatic: boolean;
  readonly extra: ExtraFields;
  readonly table: PlacedTable;
}

/**
 * Writes the items of one table: reads it, maps the items, adds columns, and updates and appends rows.
 * @throws NodeFailure if the table cannot be read or written, LongDelay if the service asks for a delay
 */
export async function writeItems(
  rows: PreparedRows,
  items: readonly RowsItem[],
  run: AppRun,
  results: ItemResults,
): Promise<void> {
  const { mode, mapping } = rows;
  const [first] = items;
  if (first === undefined || mapping === undefined || mode === 'read') return;
  const settings = mappingOf(mapping, run.context.version, first.parameters, first.target.scope);
  if (settings.mode === 'nothing') {
    for (const item of items) results.finish(item.index, mode === 'append' ? [] : [inputOf(item, run)]);
    return;
  }
  const table = placedTable(rows, await readTable(rows, first), first.target.scope);
  const write = tableWrite(rows, settings, table, first.target.scope);
  const mapped: MappedItem[] = [];
  for (const item of items) {
    await run.context.pause();
    try {
      mapped.push({ item, record: recordOf(rows, write, item, run) });
    } catch (thrown) {
      results.fail(item.index, thrown);
    }
  }
  const plan = planRows(
    table,
    {
      mode,
      match: write.mapping.match,
      rowNumber: rows.rowNumber,
      adds: addedColumns(rows, write, mapped),
    },
    mapped.map(({ record }) => record),
  );
  await send(rows, plan, write, first);
  // A mapped update that finds no row has no result.
  const isWritten = mode !== 'update' || write.isAutomatic || settings.isOld || plan.cells.length > 0;
  for (const { item, record } of mapped) {
    const isInput = write.isAutomatic || settings.isOld;
    const result = isInput ? inputOf(item, run) : { json: record, pairedItem: { item: item.index } };
    results.finish(item.index, isWritten ? [result] : []);
  }
}

const inputOf = ({ index }: RowsItem, { context }: AppRun) => ({
  ...context.items[index],
  json: context.items[index]?.json ?? {},
  pairedItem: { item: index },
});

/** @throws NodeFailure if the table is not one into which the items can be written */
function tableWrite(
  rows: PreparedRows,
  settings: MappingSettings,
  table: PlacedTable,
  scope: TemplateScope,
): TableWrite {
  const mode = rows.mode === 'read' ? 'append' : rows.mode;
  const mapping = { ...settings, match: mode === 'append' ? undefined : settings.match };
  // An empty table takes its columns from the items.
  const isAutomatic = settings.mode === 'autoMapInputData' || (mode !== 'update' && table.rows.length === 0);
  const extra = extraOf(rows.extra?.json(scope));
  const header = headerOf(table);
  const isHeaderMade = mode !== 'update' && isAutomatic && extra === 'insertInNewColumn';
  if (header === undefined && !isHeaderMade)
    throw new NodeFailure(`The table has no names of columns in row ${table.headerRow}.`, {
      description: 'Write the names of the columns into this row, or choose another header row.',
    });
  if (mode !== 'append' && mapping.match === undefined)
    throw new NodeFailure('The node does not say which column to match on.', {
      description: 'Choose the column whose value finds the row to update.',
    });
  // An upsert would write the fields of the items into an empty table, and not what is mapped.
  const isListed = mode === 'upsert' && mapping.columns.length > 0;
  if (rows.keepsColumns?.holds(scope) === true && mode !== 'update' && (isListed || !isAutomatic))
    checkColumns(mapping.columns, header ?? [], rows.rowNumber);
  return { mode, mapping, isAutomatic, extra, table };
}

function extraOf(value: Json | undefined): ExtraFields {
  return value === 'ignoreIt' || value === 'error' ? value : 'insertInNewColumn';
}

/** Columns that were renamed or removed would lose their values without a sign. */
function checkColumns(columns: readonly string[], header: readonly string[], rowNumber: string | undefined): void {
  if (columns.length === 0)
    throw new NodeFailure('The mapping does not list the columns of the table.', {
      description: 'Choose the table in the node again, so that `schema` of the mapping lists its columns.',
    });
  const missing = columns.filter((name) => name !== rowNumber && !header.includes(name));
  if (missing.length > 0)
    throw new NodeFailure('The columns of the table have changed since the node was set up.', {
      description: `These are missing: ${missing.slice(0, 20).join(', ')}. Choose the columns in the node again.`,
    });
}

function recordOf(
  rows: PreparedRows,
  write: TableWrite,
  { index, parameters, target }: RowsItem,
  run: AppRun,
): JsonObject {
  const { mode, mapping, isAutomatic, extra, table } = write;
  const record = isAutomatic
    ? automaticRecord(rows, write, run.context.items[index]?.json ?? {})
    : manualRecord(rows, mapping, { index, parameters, target });
  if (isAutomatic && extra === 'error') refuseUnknown(record, headerOf(table) ?? [], rows.rowNumber, index);
  const { match } = mapping;
  if (mode === 'update' && match !== undefined && match === rows.rowNumber && numberOf(record[match]) === undefined)
    throw new NodeFailure(`${JSON.stringify(record[match] ?? null)} is not the number of a row.`, {
      itemIndex: index,
      description: `The field "${match}" must be a whole number from 1.`,
    });
  return record;
}

function automaticRecord({ rowNumber }: PreparedRows, { mode, extra }: TableWrite, json: JsonObject): JsonObject {
  if (rowNumber === undefined || mode !== 'append' || extra !== 'insertInNewColumn') return json;
  const { [rowNumber]: _number, ...others } = json;
  return others;
}

function manualRecord(
  { mapping, mode }: PreparedRows,
  settings: MappingSettings,
  { index, parameters, target }: Pick<RowsItem, 'index' | 'parameters' | 'target'>,
): JsonObject {
  if (mapping === undefined) return {};
  const record = mappedRecord(mapping, settings, parameters, target.scope, index);
  // Updates clear the cells of fields that are null.
  return mode === 'append' || settings.isOld
    ? record
    : Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? '']));
}

function refuseUnknown(
  record: JsonObject,
  header: readonly string[],
  rowNumber: string | undefined,
  itemIndex: number,
): void {
  const unknown = Object.keys(record).filter((name) => name !== rowNumber && !header.includes(name));
  if (unknown.length > 0)
    throw new NodeFailure(`The table has no column for these fields: ${unknown.slice(0, 20).join(', ')}.`, {
      itemIndex,
      description: 'Remove the fields, add the columns, or choose another way to handle extra fields.',
    });
}

/** @throws NodeFailure if the column to match on is not among the columns of the table */
function addedColumns(rows: PreparedRows, write: TableWrite, mapped: readonly MappedItem[]): string[] {
  const { isAutomatic, extra, mapping, table } = write;
  const adds = isAutomatic
    ? extra === 'insertInNewColumn'
      ? mapped.flatMap(({ record }) => Object.keys(record))
      : []
    : mapping.isOld
      ? mapped.flatMap(({ item }) => namesIn(rows.mapping?.before?.adds?.json(item.target.scope)))
      : [];
  const { match } = mapping;
  if (match !== undefined && match !== rows.rowNumber && ![...(headerOf(table) ?? []), ...adds].includes(match))
    throw new NodeFailure(`The table has no column "${match}" to match on.`);
  return adds;
}

const namesIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

async function send(
  { columns, write, append }: PreparedRows,
  plan: RowsPlan,
  { table }: TableWrite,
  { target }: RowsItem,
): Promise<void> {
  const { header, isHeaderChanged, cells, rows, nextRow, isBelow } = plan;
  const known = { $header: [...header], $headerRow: table.headerRow, $row: nextRow, $below: isBelow };
  const request = async (prepared: PreparedRequest | undefined, roots: Record<string, Json>): Promise<void> => {
    if (prepared === undefined) return;
    const now = { ...target, scope: target.scope.with({ ...known, ...roots }) };
    await sendCall(prepared, buildCall(prepared, now), now);
  };
  if (isHeaderChanged) await request(columns, {});
  for (let start = 0; start < cells.length; start += MAX_CELLS)
    await request(write, { $cells: cells.slice(start, start + MAX_CELLS).map((cell) => ({ ...cell })) });
  const size = Math.max(1, Math.floor(MAX_CELLS / Math.max(header.length, 1)));
  for (let start = 0; start < rows.length; start += size)
    await request(append, {
      $row: nextRow + start,
      $rows: rows.slice(start, start + size).map((row) => [...row]),
    });
}
