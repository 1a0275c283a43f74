import { deleteMatching, isDuplicateKey, oneByOne, withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { NewRow, Row, RowStore } from '../../domain/data-tables/data-table';
import { deletionModel, rowModel, type DeletionDocument, type RowDocument } from './data-table-schema';
import { rowKey, rowQueries } from './row-queries';

const DELETION_RETENTION_MS = 24 * 3_600_000;
/** Maximum ids per statement. */
const IDS_AT_ONCE = 1_000;

const toRow = ({ rowId, cells, createdAt, updatedAt }: RowDocument): Row => ({
  id: rowId,
  cells,
  createdAt,
  updatedAt,
});

const toDocument = (
  tableId: string,
  { id, cells, insertedBy, writtenBy, createdAt, updatedAt }: NewRow,
): RowDocument => ({
  _id: rowKey(tableId, id),
  tableId,
  rowId: id,
  cells: { ...cells },
  insertedBy,
  ...(writtenBy === undefined ? {} : { writtenBy: [writtenBy] }),
  createdAt,
  updatedAt,
});

/**
 * Number of operations that a row remembers. An operation repeated after this many others wrote the same row counts as
 * a new one.
 */
const MAX_WRITERS = 16;

/** Rows of data tables in MongoDB. */
export const createRowStore = (connection: Connection): RowStore => {
  const model = rowModel(connection);
  const deletions = deletionModel(connection);
  return {
    query: async (tableId, query) => {
      const { filter, options } = rowQueries.part(tableId, query);
      return (
        await withStore(() =>
          model
            .find(filter, {}, { ...options, skip: query.skip, limit: query.limit })
            .lean<RowDocument[]>()
            .exec(),
        )
      ).map(toRow);
    },
    count: (tableId, filter) =>
      withStore(() => model.countDocuments(rowQueries.matching(tableId, filter).filter).exec()),
    insert: async (tableId, rows) => {
      try {
        await withStore(() =>
          model.insertMany(
            rows.map((row) => toDocument(tableId, row)),
            { ordered: false, lean: true },
          ),
        );
      } catch (error) {
        // The same operation, sent twice, adds each row once.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    inTurn: (key, work) => oneByOne(`rows ${key}`, work),
    insertUnlessTaken: async (tableId, row) => {
      try {
        await withStore(() => model.insertMany([toDocument(tableId, row)], { lean: true }));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    lastInserted: async (beginning) => {
      const { filter, options } = rowQueries.insertedFrom(beginning);
      return (
        await withStore(() =>
          model.findOne(filter, { insertedBy: 1 }, options).lean<Pick<RowDocument, 'insertedBy'>>().exec(),
        )
      )?.insertedBy;
    },
    findInserted: async (tableId, insertedBy) => {
      const { filter, options } = rowQueries.inserted(insertedBy);
      const documents = await withStore(() => model.find(filter, {}, options).lean<RowDocument[]>().exec());
      return documents
        .filter((document) => document.tableId === tableId)
        .map((document) => ({ ...toRow(document), insertedBy: document.insertedBy }));
    },
    update: async (tableId, filter, cells, operation, at) => {
      const set = Object.fromEntries(Object.entries(cells).map(([column, cell]) => [`cells.${column}`, cell]));
      await withStore(() =>
        model
          .updateMany(rowQueries.matching(tableId, filter).filter, {
            $set: { ...set, updatedAt: at },
            $push: { writtenBy: { $each: [operation], $slice: -MAX_WRITERS } },
          })
          .exec(),
      );
    },
    findWritten: async (tableId, operation, limit) => {
      const { filter, options } = rowQueries.written(operation);
      const documents = await withStore(() =>
        model
          .find(filter, {}, { ...options, sort: { rowId: 1 }, limit })
          .lean<RowDocument[]>()
          .exec(),
      );
      return documents.filter((document) => document.tableId === tableId).map(toRow);
    },
    removeRows: async (tableId, ids) => {
      let removed = 0;
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const { filter } = rowQueries.byIds(tableId, ids.slice(from, from + IDS_AT_ONCE));
        removed += await withStore(() => deleteMatching(model, filter));
      }
      return removed;
    },
    removeAll: async (tableId) => {
      await withStore(() =>
        deleteMatching(model, rowQueries.matching(tableId, { matchAll: true, conditions: [] }).filter),
      );
    },
    storeDeletion: async (operation, rowsJson) => {
      try {
        await withStore(() =>
          deletions.create({ _id: operation, rowsJson, expireAt: new Date(Date.now() + DELETION_RETENTION_MS) }),
        );
      } catch (error) {
        // A repeated operation deletes the rows found by the first one.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    findDeletion: async (operation) =>
      (await withStore(() => deletions.findById(operation).lean<DeletionDocument>().exec()))?.rowsJson,
  };
};
