import { type NodeContext, NodeFailure } from '@weft/engine';
import { booleanParameter, textParameter } from '../../../shared/read-parameter';
import { tableNameOf } from '../../memory/postgres/history';
import { COLLECTION, COLUMNS, DEFAULT_TABLE } from './descriptor-names';

/** PostgreSQL cuts longer names. */
const COLUMN = /^[A-Za-z_][\w$]{0,62}$/;

/** Parts of the name of a table. */
export type TableName = readonly string[];

/** A table with vectors, as the parameters of a node describe it. */
export interface VectorTable {
  readonly table: TableName;
  readonly columns: typeof COLUMNS;
  /** Rows of this collection only. */
  readonly collection?: { readonly name: string; readonly table: TableName };
}

/** @throws NodeFailure for names that a table or a column cannot have */
export function tableOf(context: NodeContext, itemIndex: number): VectorTable {
  const option = (path: string, initial: string): string =>
    textParameter(context, `options.${path}`, itemIndex) || initial;
  const column = (name: string, initial: string): string => {
    const found = option(`columnNames.values.${name}`, initial);
    if (COLUMN.test(found)) return found;
    throw new NodeFailure(`Invalid column name "${found.slice(0, 100)}"`, {
      itemIndex,
      description: 'Use at most 63 letters, digits and underscores; the first must not be a digit.',
    });
  };
  const inCollection = booleanParameter(context, 'options.collection.values.useCollection', itemIndex, false);
  return {
    table: tableNameOf(textParameter(context, 'tableName', itemIndex) || DEFAULT_TABLE, itemIndex),
    columns: {
      id: column('idColumnName', COLUMNS.id),
      vector: column('vectorColumnName', COLUMNS.vector),
      content: column('contentColumnName', COLUMNS.content),
      metadata: column('metadataColumnName', COLUMNS.metadata),
    },
    ...(inCollection
      ? {
          collection: {
            name: option('collection.values.collectionName', COLLECTION.name),
            table: tableNameOf(option('collection.values.collectionTableName', COLLECTION.table), itemIndex),
          },
        }
      : {}),
  };
}
