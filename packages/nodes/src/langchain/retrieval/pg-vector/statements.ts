import type { JsonObject } from '@weft/node-catalogue';
import type { SqlStatement } from '@weft/outbound';
import { POSTGRES } from '../../../shared/sql/dialect';
import { StatementBuilder } from '../../../shared/sql/statement';
import type { StoreSearch } from '../vector-store/store-backend';
import { vectorJson } from '../vector-store/batches';
import type { TableName, VectorTable } from './table';

/** Column with the collection of a row, as n8n names it. */
export const COLLECTION_COLUMN = 'collection_id';

/** Distances as pgvector writes them. */
export const DISTANCES = { cosine: '<=>', innerProduct: '<#>', euclidean: '<->' } as const;

/** A row to be inserted. */
export interface VectorRow {
  readonly id: string;
  readonly content: string;
  /** As JSON. */
  readonly metadata: string;
  /** As JSON. */
  readonly vector: string;
}

const builder = (text: string): StatementBuilder => new StatementBuilder(POSTGRES).sql(text);
const addTable = (to: StatementBuilder, name: TableName): StatementBuilder =>
  to.list(name, (part) => to.name(part), '.');

export const plain = (text: string): SqlStatement => ({ text, values: [] });

/** Columns of a table, with `name` and `type`. No rows if the table does not exist. */
export const columnsOf = (name: TableName): SqlStatement =>
  builder(
    'SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute ' +
      'WHERE attnum > 0 AND NOT attisdropped AND attrelid = to_regclass(',
  )
    .value(name.map(POSTGRES.quote).join('.'))
    .sql(')')
    .statement();

/** Begins a transaction in which no other one prepares a table. */
export const BEGIN_SETUP = plain("BEGIN; SELECT pg_advisory_xact_lock(hashtext('weft vector tables'))");

export const createTable = ({ table, columns }: VectorTable): SqlStatement =>
  addTable(builder('CREATE TABLE IF NOT EXISTS '), table)
    .sql(' (')
    .name(columns.id)
    .sql(' uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, ')
    .name(columns.content)
    .sql(' text, ')
    .name(columns.metadata)
    .sql(' jsonb, ')
    .name(columns.vector)
    .sql(' vector)')
    .statement();

/** Prepares a table for collections. @param isPrepared true if it has the column */
export function createCollections({ table }: VectorTable, collections: TableName, isPrepared: boolean): SqlStatement[] {
  const create = addTable(builder('CREATE TABLE IF NOT EXISTS '), collections)
    .sql(' (uuid uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, name character varying, cmetadata jsonb)')
    .statement();
  if (isPrepared) return [create];
  const index = builder('CREATE INDEX IF NOT EXISTS ').name(`idx_${collections.at(-1) ?? ''}_name`);
  const column = addTable(builder('ALTER TABLE '), table).sql(` ADD COLUMN IF NOT EXISTS ${COLLECTION_COLUMN} uuid`);
  return [
    create,
    addTable(index.sql(' ON '), collections).sql('(name)').statement(),
    addTable(column.sql(' REFERENCES '), collections).sql('(uuid) ON DELETE CASCADE').statement(),
  ];
}

/** The id of a collection, as `uuid`. */
export const findCollection = (collections: TableName, name: string): SqlStatement =>
  addTable(builder('SELECT uuid::text AS uuid FROM '), collections)
    .sql(' WHERE name = ')
    .value(name)
    .sql(' LIMIT 1')
    .statement();

export const insertCollection = (collections: TableName, name: string): SqlStatement =>
  addTable(builder('INSERT INTO '), collections).sql(' (name) VALUES (').value(name).sql(')').statement();

/**
 * Inserts rows that the table does not have yet.
 * @param withIds false if the table gives rows their ids
 * @param collection id of the collection
 */
export function insertRows(
  { table, columns }: VectorTable,
  rows: readonly VectorRow[],
  withIds: boolean,
  collection: string | undefined,
): SqlStatement {
  const names = [
    columns.content,
    columns.vector,
    columns.metadata,
    ...(collection === undefined ? [] : [COLLECTION_COLUMN]),
    ...(withIds ? [columns.id] : []),
  ];
  const all = addTable(builder('INSERT INTO '), table).sql(' (').names(names).sql(') VALUES ');
  return all
    .list(rows, ({ id, content, metadata, vector }) => {
      const values = [
        content,
        vector,
        metadata,
        ...(collection === undefined ? [] : [collection]),
        ...(withIds ? [id] : []),
      ];
      all
        .sql('(')
        .list(values, (value) => all.value(value))
        .sql(')');
    })
    .sql(' ON CONFLICT DO NOTHING')
    .statement();
}

/** The length of a vector of the table or the collection, as `length`. No rows if it has none. */
export function findLength({ table, columns }: VectorTable, collection: string | undefined): SqlStatement {
  const query = builder('SELECT vector_dims(').name(columns.vector).sql(') AS length FROM ');
  addTable(query, table).sql(' WHERE ').name(columns.vector).sql(' IS NOT NULL');
  if (collection !== undefined) query.sql(` AND ${COLLECTION_COLUMN} = `).value(collection);
  return query.sql(' LIMIT 1').statement();
}

/** The closest rows, as `id`, `content`, `metadata` (JSON as text) and `distance`. */
export function searchRows(
  { table, columns }: VectorTable,
  { vector, limit }: StoreSearch,
  distance: keyof typeof DISTANCES,
  filter: JsonObject,
  collection: string | undefined,
): SqlStatement {
  const search = builder('SELECT ').name(columns.id).sql('::text AS id, ');
  search.name(columns.content).sql(' AS content, ').name(columns.metadata).sql('::text AS metadata, ');
  search.name(columns.vector).sql(` ${DISTANCES[distance]} `).value(vectorJson(vector)).sql(' AS distance FROM ');
  addTable(search, table).sql(' WHERE ').name(columns.content).sql(' IS NOT NULL AND ');
  search.name(columns.vector).sql(' IS NOT NULL');
  if (collection !== undefined) search.sql(` AND ${COLLECTION_COLUMN} = `).value(collection);
  for (const [name, value] of Object.entries(filter)) {
    search.sql(' AND ').name(columns.metadata).sql(' ->> ').value(name).sql('::text = ');
    search.value(typeof value === 'string' ? value : JSON.stringify(value)).sql('::text');
  }
  return search.sql(' ORDER BY distance ASC LIMIT ').value(limit).statement();
}
