import { isJsonObject, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { AppRun } from '../app-run';
import { valueIn } from '../fetch-list';
import { sendCall } from '../send-call';
import type { Template } from '../template';
import type { TemplateScope } from '../template-scope';
import { numberOf, type PlacedTable, type Table } from './plan-rows';
import type { PreparedFind, PreparedRows } from './prepare-rows';
import { type Filter, type ReadSettings, recordsOf } from './read-table';
import type { ItemResults } from '../item-results';
import type { RowsItem } from './run-rows';

/** Maximum number of filters of an item, or of all items if they are read at once. */
const MAX_FILTERS = 1_000;

/** Reads the records of one table for the items that name it. The table is fetched once. */
export async function readItems(
  rows: PreparedRows,
  items: readonly RowsItem[],
  run: AppRun,
  results: ItemResults,
): Promise<void> {
  const { find } = rows;
  const [first] = items;
  if (first === undefined || find === undefined) return;
  const table = await readTable(rows, first);
  const isOnce = find.once?.holds(first.target.scope) === true;
  const shared = isOnce ? bounded(items.flatMap((item) => filtersOf(find, item.target.scope))) : undefined;
  for (const [place, item] of items.entries()) {
    await run.context.pause();
    if (isOnce && place > 0) {
      results.finish(item.index, []);
      continue;
    }
    try {
      const settings = readSettings(rows, find, table, item.target.scope, shared);
      const records = recordsOf(table, settings);
      if ('unknownColumn' in records)
        throw new NodeFailure(`The table has no column "${records.unknownColumn}".`, { itemIndex: item.index });
      results.finish(
        item.index,
        records.map((json) => ({ json, pairedItem: { item: item.index } })),
      );
    } catch (thrown) {
      results.fail(item.index, thrown);
    }
  }
}

/** Fetches a table. @throws NodeFailure if the response has no list of lists */
export async function readTable(
  { read, table }: PreparedRows,
  { target, read: settings, index }: RowsItem,
): Promise<Table> {
  const value = valueIn(table, await sendCall(read, settings, target), target);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((row) => Array.isArray(row))) return value;
  throw new NodeFailure(`${target.run.app.label} answered without a table where the app expects one.`, {
    itemIndex: index,
  });
}

/** A table with the numbers of its header row and its first row with data. */
export function placedTable({ header, first }: PreparedRows, rows: Table, scope: TemplateScope): PlacedTable {
  const headerRow = rowOf(header, scope, 1, 'header row');
  return { rows, headerRow, firstRow: rowOf(first, scope, headerRow + 1, 'first data row') };
}

function rowOf(template: Template | undefined, scope: TemplateScope, otherwise: number, name: string): number {
  const value = template?.json(scope);
  if (value === undefined || value === null || value === '') return otherwise;
  const number = numberOf(value);
  if (number === undefined)
    throw new NodeFailure(`The ${name} must be a whole number from 1, and not ${JSON.stringify(value).slice(0, 40)}.`);
  return number;
}

function readSettings(
  rows: PreparedRows,
  find: PreparedFind,
  table: Table,
  scope: TemplateScope,
  shared: readonly Filter[] | undefined,
): ReadSettings {
  const { headerRow, firstRow } = placedTable(rows, table, scope);
  const until = find.until?.json(scope);
  return {
    headerRow,
    firstRow,
    until: until === 'lastRow' || until === 'firstEmptyRow' ? until : 'end',
    rowNumber: rows.rowNumber,
    filters: shared ?? filtersOf(find, scope),
    matchesAll: find.matchesAll?.holds(scope) === true,
    isFirstOnly: find.isFirstOnly?.holds(scope) === true,
    isFirstOfEach: find.isFirstOfEach?.holds(scope) === true,
  };
}

/** @throws NodeFailure for too many filters */
function filtersOf({ filters }: PreparedFind, scope: TemplateScope): Filter[] {
  const list = filters?.json(scope);
  if (!Array.isArray(list)) return [];
  return bounded(
    list.flatMap((one) => {
      const column = textField(one, 'column');
      return column === undefined || !isJsonObject(one) ? [] : [{ column, value: one['value'] ?? null }];
    }),
  );
}

function bounded(filters: Filter[]): Filter[] {
  if (filters.length > MAX_FILTERS) throw new NodeFailure(`A node can have at most ${MAX_FILTERS} filters.`);
  return filters;
}
