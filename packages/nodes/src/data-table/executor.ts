import { plainValue } from '@weft/node-catalogue';
import { type NodeExecutor, type NodeShape, output } from '@weft/engine';
import { choiceParameter } from '../shared/read-parameter';
import { getRows, keepByRow } from './read-rows';
import { changeTables, TABLE_OPERATIONS } from './table-operations';
import { changeRows, insertRows } from './write-rows';

const ROW_OPERATIONS = ['insert', 'get', 'rowExists', 'rowNotExists', 'update', 'upsert', 'deleteRows'] as const;
const READING = ['get', 'rowExists', 'rowNotExists', 'list'];

/** Reads and writes the rows of data tables, and the tables themselves. */
export const dataTable: NodeExecutor = {
  kind: 'dataTable',
  actsOutside: writes,
  run: async (context) => {
    if (choiceParameter(context, 'resource', 0, ['row', 'table']) === 'table')
      return output(await changeTables(context, choiceParameter(context, 'operation', 0, TABLE_OPERATIONS, 'list')));
    const operation = choiceParameter(context, 'operation', 0, ROW_OPERATIONS, 'insert');
    switch (operation) {
      case 'insert':
        return output(await insertRows(context));
      case 'get':
        return output(await getRows(context));
      case 'rowExists':
      case 'rowNotExists':
        return output(await keepByRow(context, operation === 'rowExists'));
      case 'update':
      case 'upsert':
      case 'deleteRows':
        return output(await changeRows(context, operation));
    }
  },
};

function writes(shape: NodeShape): boolean {
  const operation = plainValue(shape.rawParameter('operation'));
  return typeof operation !== 'string' || !READING.includes(operation);
}
