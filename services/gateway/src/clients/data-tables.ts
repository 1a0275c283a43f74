import { DataTableServiceService } from '@weft/proto/data-tables';
import type { Caller } from '@weft/service-kit/grpc';
import { createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks of the workflows service about data tables. */
export type DataTablesClient = Caller<typeof DataTableServiceService>;

/** Connects to the workflows service. */
export const createDataTablesClient = (peer: Peer): DataTablesClient =>
  createCaller(DataTableServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['listDataTables', 'getDataTable', 'queryRows'],
  });
