import { DataTableServiceService, type DataTable, type DataTableRow } from '@weft/proto/data-tables';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'workflows:read' as const };
const write = { users: 'workflows:write' as const };
const access = {
  listDataTables: read,
  getDataTable: read,
  createDataTable: write,
  renameDataTable: write,
  deleteDataTable: write,
  queryRows: read,
  insertRows: write,
  updateRows: write,
  upsertRow: write,
  deleteRows: write,
};

/** The data tables of the workflows service, in memory. */
export const fakeDataTables = () => {
  const fake = createFake();
  const stored = new Map<string, DataTable>();
  const rows: DataTableRow[] = [];
  const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const find = (id: string): DataTable => {
    const table = stored.get(id);
    if (table === undefined)
      throw new ServiceError({
        reason: 'DATA_TABLE_NOT_FOUND',
        kind: 'not-found',
        message: `There is no data table ${id}.`,
        details: { dataTableId: id },
      });
    return table;
  };
  const keep = (table: DataTable): DataTable => {
    const tagged = { ...table, etag: `e-${table.name}` };
    stored.set(table.id, tagged);
    return tagged;
  };
  const none = () => ({ rows: [] });
  const handlers: Handlers<typeof DataTableServiceService> = {
    listDataTables: (request, context) =>
      fake.act('listDataTables', request, context, () => ({ dataTables: [...stored.values()], nextCursor: '' })),
    getDataTable: (request, context) =>
      fake.act('getDataTable', request, context, () => ({ dataTable: find(request.dataTableId) })),
    createDataTable: (request, context) =>
      fake.act('createDataTable', request, context, () => ({
        dataTable: keep({
          id: `t${stored.size + 1}`,
          name: request.name,
          columns: request.columns,
          shared: request.shared ?? false,
          ownerId: context.principal?.userId ?? '',
          createdAt: at,
          updatedAt: at,
        }),
      })),
    renameDataTable: (request, context) =>
      fake.act('renameDataTable', request, context, () => ({
        dataTable: keep({ ...find(request.dataTableId), name: request.name }),
      })),
    deleteDataTable: (request, context) =>
      fake.act('deleteDataTable', request, context, () => {
        stored.delete(find(request.dataTableId).id);
        return {};
      }),
    queryRows: (request, context) =>
      fake.act('queryRows', request, context, () => {
        find(request.dataTableId);
        const from = Number(request.cursor);
        return {
          rows: rows.slice(from, from + request.limit),
          nextCursor: from + request.limit < rows.length ? String(from + request.limit) : '',
        };
      }),
    insertRows: (request, context) =>
      fake.act('insertRows', request, context, () => {
        find(request.dataTableId);
        if (request.valuesJson.some((values) => values.includes('"town"')))
          throw new InvalidRequest('The value of column town cannot be stored.', [
            { field: 'valuesJson[0].town', message: 'The table has no such column.' },
          ]);
        const added = request.valuesJson.map((valuesJson, index) => ({
          id: rows.length + index + 1,
          valuesJson,
          createdAt: at,
          updatedAt: at,
        }));
        rows.push(...added);
        return { rows: added };
      }),
    updateRows: (request, context) =>
      fake.act('updateRows', request, context, () => {
        find(request.dataTableId);
        if (request.valuesJson.includes('"town"'))
          throw new InvalidRequest('The value of column town cannot be stored.', [
            { field: 'valuesJson.town', message: 'The table has no such column.' },
          ]);
        return { rows: rows.slice(0, 1).map((one) => ({ ...one, valuesJson: request.valuesJson })) };
      }),
    upsertRow: (request, context) =>
      fake.act('upsertRow', request, context, () => {
        find(request.dataTableId);
        return none();
      }),
    deleteRows: (request, context) =>
      fake.act('deleteRows', request, context, () => {
        find(request.dataTableId);
        return { rows: rows.splice(0, 1) };
      }),
  };
  return { ...fake, stored, rows, bound: bindService(DataTableServiceService, handlers, access) };
};
