import type { AppDocument, AppRows, AppRowsMapping, AppTableRequest } from '@weft/app-model';
import { letOf, type Make, optionally, type PreparedLet, type PreparedRequest, requestOf } from '../prepare-request';
import type { Template } from '../template';

/** How the records of the older versions of a kind, before it had a resource mapper, are given. */
export interface PreparedOldMapping {
  readonly mode: Template;
  readonly match: Template | undefined;
  readonly values: Template;
  /** Names of the columns to add although they are mapped one by one. */
  readonly adds: Template | undefined;
}

/** How items become records. */
export interface PreparedMapping {
  /** Name of the parameter of type `resourceMapper`. */
  readonly from: string;
  /** The first version that has it. */
  readonly since: number;
  readonly before: PreparedOldMapping | undefined;
}

/** How records are read from a table. */
export interface PreparedFind {
  readonly filters: Template | undefined;
  readonly matchesAll: Template | undefined;
  readonly isFirstOnly: Template | undefined;
  readonly isFirstOfEach: Template | undefined;
  readonly once: Template | undefined;
  readonly until: Template | undefined;
}

/** The block `rows` of an operation, ready to be run. */
export interface PreparedRows {
  readonly mode: AppRows['mode'];
  /** Values for the templates below, computed after the steps. */
  readonly let: PreparedLet;
  readonly header: Template | undefined;
  readonly first: Template | undefined;
  readonly rowNumber: string | undefined;
  readonly mapping: PreparedMapping | undefined;
  readonly extra: Template | undefined;
  readonly keepsColumns: Template | undefined;
  readonly find: PreparedFind | undefined;
  readonly read: PreparedRequest;
  /** A path into the response body, or a template. */
  readonly table: Template | string;
  readonly columns: PreparedRequest | undefined;
  readonly write: PreparedRequest | undefined;
  readonly append: PreparedRequest | undefined;
}

/** Prepares the block `rows`. @param path of the block in its file, for messages */
export function prepareRows(app: AppDocument, rows: AppRows, path: string, make: Make): PreparedRows {
  const optional = optionally(make);
  const request = (part: AppTableRequest | undefined, name: string): PreparedRequest | undefined =>
    part === undefined ? undefined : requestOf(app, part.call, part, `${path}.${name}`, make);
  const { mode, read, rowNumber, mapping, find } = rows;
  return {
    mode,
    let: letOf(rows.let, `${path}.let`, make),
    header: optional(rows.header, `${path}.header`),
    first: optional(rows.first, `${path}.first`),
    rowNumber,
    mapping: mapping === undefined ? undefined : mappingOf(mapping, `${path}.mapping`, make),
    extra: optional(rows.extra, `${path}.extra`),
    keepsColumns: optional(rows.keepsColumns, `${path}.keepsColumns`),
    find:
      find === undefined
        ? undefined
        : {
            filters: optional(find.filters, `${path}.find.filters`),
            matchesAll: optional(find.matchesAll, `${path}.find.matchesAll`),
            isFirstOnly: optional(find.firstOnly, `${path}.find.firstOnly`),
            isFirstOfEach: optional(find.firstOfEach, `${path}.find.firstOfEach`),
            once: optional(find.once, `${path}.find.once`),
            until: optional(find.until, `${path}.find.until`),
          },
    read: requestOf(app, read.call, read, `${path}.read`, make),
    table: read.table.startsWith('=') ? make(read.table, `${path}.read.table`) : read.table,
    columns: request(rows.columns, 'columns'),
    write: request(rows.write, 'write'),
    append: request(rows.append, 'append'),
  };
}

function mappingOf({ from, since = 0, before }: AppRowsMapping, path: string, make: Make): PreparedMapping {
  if (before === undefined) return { from, since, before };
  const optional = optionally(make);
  return {
    from,
    since,
    before: {
      mode: make(before.mode, `${path}.before.mode`),
      match: optional(before.match, `${path}.before.match`),
      values: make(before.values, `${path}.before.values`),
      adds: optional(before.adds, `${path}.before.adds`),
    },
  };
}
