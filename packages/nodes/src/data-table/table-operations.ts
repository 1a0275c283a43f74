import type { JsonObject } from '@weft/node-catalogue';
import { type DataTable, type Item, type NodeContext, NodeFailure, type TableColumn } from '@weft/engine';
import {
  booleanParameter,
  choiceParameter,
  numberParameter,
  objectsParameter,
  textParameter,
} from '../shared/read-parameter';
import { TableFinder } from './find-table';
import { forEachItem, madeOf } from './for-each-item';

/** Operations on whole tables. */
export const TABLE_OPERATIONS = ['create', 'list', 'update', 'delete'] as const;

/** Creates, lists, renames or deletes tables, for each item in turn. */
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
    throw new NodeFailure('The data table has no name', { itemIndex: index, description: 'Give one in `tableName`.' });
  const existing = booleanParameter(context, 'options.createIfNotExists', index)
    ? await dataTables.find({ name })
    : undefined;
  const columns = objectsParameter(context, 'columns.column', index).map((column): TableColumn => ({
    name: String(column['name'] ?? ''),
    type: String(column['type'] ?? 'string'),
  }));
  return tableJson(existing ?? (await dataTables.create(name, columns)));
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
