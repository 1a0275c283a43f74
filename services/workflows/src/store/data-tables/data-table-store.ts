import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type { Column, DataTable, DataTableStore } from '../../domain/data-tables/data-table';
import { dataTableModel, type DataTableDocument } from './data-table-schema';
import { orTaken } from '../workflows/or-taken';
import { ownedPage } from '../queries';

const columnOf = ({ name, type }: DataTableDocument['columns'][number]): Column => ({
  name,
  type: type === 'number' || type === 'boolean' || type === 'date' ? type : 'string',
});

const toTable = ({ _id, name, columns, ownerId, shared, createdAt, updatedAt }: DataTableDocument): DataTable => ({
  id: _id,
  name,
  columns: columns.map(columnOf),
  ownerId,
  isShared: shared,
  createdAt,
  updatedAt,
});

/** Matches a table that has not changed since. */
const stateOf = (seen: DataTable | undefined): Partial<DataTableDocument> =>
  seen === undefined
    ? {}
    : { name: seen.name, shared: seen.isShared, ownerId: seen.ownerId, updatedAt: seen.updatedAt };

const orNameTaken = <Outcome>(name: string, write: () => Promise<Outcome>) =>
  orTaken(`dataTables ${name}`, 'name-taken', write);

/** Data tables in MongoDB. */
export const createDataTableStore = (connection: Connection): DataTableStore => {
  const model = dataTableModel(connection);
  const findOne = async (filter: { _id: string } | { name: string }): Promise<DataTable | undefined> => {
    const document = await withStore(() => model.findOne(filter).lean<DataTableDocument>().exec());
    return document === null ? undefined : toTable(document);
  };
  return {
    page: async (afterId, limit, ownerId, hiddenOwnerIds) => {
      const filter = ownedPage(afterId, ownerId, hiddenOwnerIds);
      return (
        await withStore(() =>
          model
            .find(filter, {}, { sort: { _id: -1 }, limit })
            .lean<DataTableDocument[]>()
            .exec(),
        )
      ).map(toTable);
    },
    find: (id) => findOne({ _id: id }),
    findByName: (name) => findOne({ name }),
    count: (ownerId) => withStore(() => model.countDocuments(ownerId === undefined ? {} : { ownerId }).exec()),
    insert: ({ id, columns, isShared, ...rest }) =>
      orNameTaken(rest.name, async (): Promise<'done'> => {
        await model.create({
          _id: id,
          ...rest,
          shared: isShared,
          columns: columns.map((column) => ({ ...column })),
          nextRowId: 1,
          rows: 0,
        });
        return 'done';
      }),
    update: ({ id, name, isShared, updatedAt }, seen) =>
      orNameTaken(name, async (): Promise<'done' | 'gone'> => {
        const { matchedCount } = await model
          .updateOne({ _id: id, ...stateOf(seen) }, { $set: { name, shared: isShared, updatedAt } })
          .exec();
        return matchedCount === 1 ? 'done' : 'gone';
      }),
    remove: (id, seen) => withStore(async () => (await deleteMatching(model, { _id: id, ...stateOf(seen) })) > 0),
    // A retry after a transient error leaves a gap in the ids, and counts rows that do not exist. Both are handled.
    takeRowIds: async (id, count, rowsMax) => {
      const filter = { _id: id, rows: trusted({ $lte: rowsMax - count }) };
      const before = await withStore(() =>
        model
          .findOneAndUpdate(filter, { $inc: { nextRowId: count, rows: count } }, { projection: { nextRowId: 1 } })
          .lean<DataTableDocument>()
          .exec(),
      );
      return before?.nextRowId;
    },
    setRowCount: async (id, rows) => {
      await withStore(() => model.updateOne({ _id: id }, { $set: { rows } }).exec());
    },
    countDeleted: async (id, rows) => {
      await withStore(() => model.updateOne({ _id: id }, { $inc: { rows: -rows } }).exec());
    },
  };
};
