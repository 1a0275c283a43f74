import { escapePattern } from '@weft/service-kit/text';
import { trusted, type QueryFilter } from 'mongoose';
import type { Comparison, RowCondition, RowFilter, RowQuery } from '../../domain/data-tables/data-table';
import type { RowDocument } from './data-table-schema';

const ROWS = 'rows';
const INSERTED = 'inserted';
const WRITTEN = 'written';

/** The indexes of rows except `_id`, created at every start. */
export const ROW_INDEXES = [
  { name: ROWS, key: { tableId: 1, rowId: 1 } },
  { name: INSERTED, key: { insertedBy: 1 }, unique: true },
  { name: WRITTEN, key: { writtenBy: 1 }, partialFilterExpression: { writtenBy: { $exists: true } } },
] as const;

const FIELD: Readonly<Record<string, string>> = { id: 'rowId', createdAt: 'createdAt', updatedAt: 'updatedAt' };

/** Path of a column within a document. */
const fieldOf = (column: string): string => (Object.hasOwn(FIELD, column) ? (FIELD[column] ?? '') : `cells.${column}`);

const OPERATOR = { differs: '$ne', greater: '$gt', atLeast: '$gte', less: '$lt', atMost: '$lte' } as const;

/** % matches anything; all other characters are literal. */
const expressionOf = (pattern: string): string => `^${pattern.split(/%+/).map(escapePattern).join('[\\s\\S]*')}$`;

const conditionOf = (comparison: Comparison): object | string | number | boolean | null => {
  switch (comparison.kind) {
    case 'equals':
      return comparison.value;
    case 'like':
      return trusted({ $regex: expressionOf(comparison.pattern), $options: comparison.ignoresCase ? 'i' : '' });
    case 'empty':
      return trusted({ $in: [null, ''] });
    case 'notEmpty':
      return trusted({ $nin: [null, ''] });
    case 'differs':
    case 'greater':
    case 'atLeast':
    case 'less':
    case 'atMost':
      return trusted({ [OPERATOR[comparison.kind]]: comparison.value });
  }
};

const matching = (tableId: string, { matchAll, conditions }: RowFilter): QueryFilter<RowDocument> => {
  if (conditions.length === 0) return { tableId };
  const parts = conditions.map(({ column, comparison }: RowCondition) => ({
    [fieldOf(column)]: conditionOf(comparison),
  }));
  return { tableId, [matchAll ? '$and' : '$or']: parts };
};

const inTable = { options: { hint: ROWS }, index: ROWS } as const;

/** A query on rows. */
export interface RowStoreQuery {
  readonly filter: QueryFilter<RowDocument>;
  readonly options: { readonly hint?: string; readonly sort?: Record<string, 1 | -1> };
  readonly index: string;
}

/** Every query on rows. Conditions on cells scan the rows of one table, whose number is bounded. */
export const rowQueries = {
  matching: (tableId: string, filter: RowFilter): RowStoreQuery => ({ filter: matching(tableId, filter), ...inTable }),
  part: (tableId: string, { filter, orderBy, descending, afterId }: RowQuery): RowStoreQuery => {
    const direction = descending ? -1 : 1;
    const after = afterId === undefined ? {} : { rowId: trusted(descending ? { $lt: afterId } : { $gt: afterId }) };
    const sort: Record<string, 1 | -1> =
      orderBy === 'id' ? { rowId: direction } : { [fieldOf(orderBy)]: direction, rowId: 1 };
    return { filter: { ...matching(tableId, filter), ...after }, options: { hint: ROWS, sort }, index: ROWS };
  },
  inserted: (insertedBy: readonly string[]): RowStoreQuery => ({
    filter: { insertedBy: trusted({ $in: [...insertedBy] }) },
    options: { hint: INSERTED },
    index: INSERTED,
  }),
  written: (operation: string): RowStoreQuery => ({
    filter: { writtenBy: trusted({ $exists: true, $eq: operation }) },
    options: { hint: WRITTEN },
    index: WRITTEN,
  }),
  insertedFrom: (beginning: string): RowStoreQuery => ({
    filter: { insertedBy: trusted({ $gte: beginning, $lt: `${beginning}\uffff` }) },
    options: { hint: INSERTED, sort: { insertedBy: -1 } },
    index: INSERTED,
  }),
  byIds: (tableId: string, ids: readonly number[]): RowStoreQuery => ({
    filter: { _id: trusted({ $in: ids.map((id) => rowKey(tableId, id)) }) },
    options: {},
    index: '_id_',
  }),
};

/** The key of a row. */
export const rowKey = (tableId: string, rowId: number): string => `${tableId}:${rowId}`;
