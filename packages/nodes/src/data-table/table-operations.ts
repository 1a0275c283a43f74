import type { JsonObject } from '@weft/node-catalogue';
import { type DataTable, type Item, type NodeContext, NodeFailure, type TableColumn } from '@weft/engine';
import {
  booleanParameter,
  choiceParameter,
  numberParameter,
  objectsParameter,
  textParameter,
} from '../shared/read-parameter';
import { nodeRunOperation } from '../shared/persistent-state/node-key';
import { TableFinder } from './find-table';
import { forEachItem, madeOf } from './for-each-item';

/** Operations on whole tables. */
export const TABLE_OPERATIONS = ['create', 'list', 'update', 'clear', 'delete'] as const;

/** Creates, lists, renames or deletes tables, for one item at a time. */
export function changeTables(context: NodeContext, operation: (typeof TABLE_OPERATIONS)[number]): Promise<Item[]> {
  return forEachItem(context, 1, async (index) => {
    switch (operation) {
      case 'create':
        return madeOf(index, [await create(context, index)]);
      case 'list':
        return madeOf(index, await list(context, index));
      case 'update': {
        const { id } = await new TableFinder(context).of(index);
        const { name } = await context.ports.dataTables.rename(id, textParameter(context, 'newName', index));
        return madeOf(index, [{ success: true, name }]);
      }
      case 'clear': {
        const { id } = await new TableFinder(context).of(index);
        return madeOf(index, [{ success: true, deletedCount: await clear(context, id, index) }]);
      }
      case 'delete': {
        const { id } = await new TableFinder(context).of(index);
        await context.ports.dataTables.remove(id);
        return madeOf(index, [{ success: true, deletedTableId: id }]);
      }
    }
  });
}

async function create(context: NodeContext, index: number): Promise<JsonObject> {
  const { dataTables } = context.ports;
  const name = textParameter(context, 'tableName', index).trim();
  if (name === '')
    throw new NodeFailure('The data table has no name', { itemIndex: index, description: 'Set `tableName`.' });
  const columns = objectsParameter(context, 'columns.column', index).map((column): TableColumn => ({
    name: String(column['name'] ?? ''),
    type: String(column['type'] ?? 'string'),
  }));
  const reuses = booleanParameter(context, 'options.createIfNotExists', index);
  const find = async (): Promise<DataTable | undefined> => (reuses ? dataTables.find({ name }) : undefined);
  const known = await find();
  if (known !== undefined) return tableJson(known);
  try {
    return tableJson(await dataTables.create(name, columns));
  } catch (error) {
    // Another run may have created it in the meantime.
    const created = await find();
    if (created === undefined) throw error;
    return tableJson(created);
  }
}

/** Number of rows that one operation deletes. */
const CLEARED_AT_ONCE = 1_000;
/** More rows than any table has. */
const MAX_CLEARINGS = 100;

/** Deletes all rows by id, in batches. The operations of a repeated node run find what they deleted. */
async function clear(context: NodeContext, tableId: string, index: number): Promise<number> {
  const { dataTables } = context.ports;
  let deleted = 0;
  for (let part = 0; part < MAX_CLEARINGS; part += 1) {
    await context.pause();
    const all = { matchAll: true, conditions: [] };
    const { rows } = await dataTables.query(tableId, {
      filter: all,
      orderBy: '',
      descending: false,
      limit: CLEARED_AT_ONCE,
      cursor: '',
    });
    const last = rows.at(-1)?.['id'];
    if (last === undefined) return deleted;
    const condition = { column: 'id', condition: 'lte', value: last };
    const operation = `${nodeRunOperation(context)}:${index}:clear:${part}`;
    deleted += (await dataTables.removeRows(tableId, { matchAll: true, conditions: [condition] }, operation)).length;
  }
  return deleted;
}

async function list(context: NodeContext, index: number): Promise<JsonObject[]> {
  const wanted = textParameter(context, 'options.filterName', index).toLowerCase();
  const field = choiceParameter(context, 'options.sortField', index, ['name', 'createdAt', 'updatedAt']);
  const direction = textParameter(context, 'options.sortDirection', index, 'asc').toLowerCase() === 'desc' ? -1 : 1;
  const tables = (await context.ports.dataTables.list())
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((left, right) => (left[field] === right[field] ? 0 : left[field] < right[field] ? -direction : direction));
  const limit = booleanParameter(context, 'returnAll', index)
    ? tables.length
    : numberParameter(context, 'limit', index);
  return tables.slice(0, Math.max(0, limit)).map(tableJson);
}

function tableJson({ columns, ...table }: DataTable): JsonObject {
  return { ...table, columns: columns.map(({ name, type }) => ({ name, type })) };
}
