import { Forbidden, ServiceError } from '@weft/service-kit/errors';

/** No table has this id or name. */
export class DataTableNotFound extends ServiceError {
  constructor(idOrName: string) {
    const shown = idOrName.slice(0, 100);
    super({
      reason: 'DATA_TABLE_NOT_FOUND',
      kind: 'not-found',
      message: `There is no data table ${shown}.`,
      details: { dataTableId: shown },
    });
  }
}

/** The table belongs to another user. */
export class NotYourDataTable extends Forbidden {
  constructor(dataTableId: string) {
    super(
      'This data table belongs to another user. Its owner, or a user with the role owner or admin, may ' +
        'change it or share its rows ("shared": true); a workflow may change its owner\'s tables.',
      { dataTableId },
    );
  }
}

/** Another table has this name. */
export class DataTableNameTaken extends ServiceError {
  constructor(name: string) {
    super({
      reason: 'DATA_TABLE_NAME_TAKEN',
      kind: 'conflict',
      message: `Another data table is called ${name}. Use another name.`,
      details: { name },
    });
  }
}

/** The instance has reached its limit of tables. */
export class TooManyDataTables extends ServiceError {
  constructor({ limit, isOfOwner }: { readonly limit: number; readonly isOfOwner: boolean }) {
    super({
      reason: 'TOO_MANY_DATA_TABLES',
      kind: 'precondition',
      message: `The limit of ${limit} data tables${isOfOwner ? ' of one owner' : ''} is reached. Delete one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** The table has reached its limit of rows. */
export class DataTableFull extends ServiceError {
  constructor(dataTableId: string, limit: number) {
    super({
      reason: 'DATA_TABLE_FULL',
      kind: 'precondition',
      message: `This data table has reached its limit of ${limit} rows. Delete rows, or use another table.`,
      details: { dataTableId, limit: String(limit) },
    });
  }
}
