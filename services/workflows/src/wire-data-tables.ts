import { createFindActor } from './domain/data-tables/actor';
import { createChangeRows } from './domain/data-tables/change-rows';
import type { DataTableStore, RowStore } from './domain/data-tables/data-table';
import { createManageTables } from './domain/data-tables/manage-tables';
import { createQueryRows } from './domain/data-tables/query-rows';
import type { CheckClaim } from './domain/claims';
import { handleCreateDataTable } from './handlers/create-data-table';
import type { DataTableMethods } from './handlers/data-table-methods';
import { handleDeleteDataTable } from './handlers/delete-data-table';
import { handleDeleteRows } from './handlers/delete-rows';
import { handleGetDataTable } from './handlers/get-data-table';
import { handleInsertRows } from './handlers/insert-rows';
import { handleListDataTables } from './handlers/list-data-tables';
import { handleQueryRows } from './handlers/query-rows';
import { handleRenameDataTable } from './handlers/rename-data-table';
import { handleUpdateRows } from './handlers/update-rows';
import { handleUpsertRow } from './handlers/upsert-row';

/** Joins stores, domain and handlers of DataTableService. */
export const wireDataTables = (tables: DataTableStore, rows: RowStore, checkClaim: CheckClaim): DataTableMethods => {
  const find = createFindActor(checkClaim);
  const manage = createManageTables(tables, rows);
  const query = createQueryRows(tables, rows);
  const change = createChangeRows({ tables, rows });
  return {
    listDataTables: handleListDataTables(find, manage),
    getDataTable: handleGetDataTable(find, manage),
    createDataTable: handleCreateDataTable(find, manage),
    renameDataTable: handleRenameDataTable(find, manage),
    deleteDataTable: handleDeleteDataTable(find, manage),
    queryRows: handleQueryRows(find, query),
    insertRows: handleInsertRows(find, change),
    updateRows: handleUpdateRows(find, change),
    upsertRow: handleUpsertRow(find, change),
    deleteRows: handleDeleteRows(find, change),
  };
};
