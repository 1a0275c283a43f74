import type { Connection } from 'mongoose';
import { withStore } from './store-errors';

/** An index as passed to the driver. */
export interface Index {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly name: string;
  readonly unique?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
}

/** The indexes of a service's database. */
export interface Schema {
  /** Every index except `_id`, by collection. */
  readonly indexes: Readonly<Record<string, readonly Index[]>>;
  /** Indexes of earlier releases that conflict with this one. */
  readonly outdated?: readonly { readonly collection: string; readonly name: string }[];
}

/** Server codes for a missing collection or index. */
const NOTHING_THERE: readonly unknown[] = [26, 27];

const orNothing = async <Result>(work: Promise<Result>, nothing: Result): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.includes(error.code)) return nothing;
    throw error;
  }
};

/**
 * Drops outdated indexes and creates missing ones without locking the collections. Safe to repeat, also from several
 * processes at once.
 * @throws Unavailable
 */
export const migrate = async (connection: Connection, { indexes, outdated = [] }: Schema): Promise<void> => {
  for (const { collection, name } of outdated)
    await withStore(() =>
      orNothing(
        connection
          .collection(collection)
          .dropIndex(name)
          .then(() => undefined),
        undefined,
      ),
    );
  for (const [collection, rows] of Object.entries(indexes))
    await withStore(() =>
      connection.collection(collection).createIndexes(rows.map((row) => ({ ...row, key: { ...row.key } }))),
    );
};

/** The database lacks indexes that this release needs. The starting process waits until it has been migrated. */
export class NotMigrated extends Error {
  constructor(database: string, missing: readonly string[]) {
    super(
      `The database ${database} is not migrated to this version: ${missing.join('; ')}. ` +
        'Run "npm run migrate", or start one replica with MIGRATE_AT_START=on.',
    );
    this.name = 'NotMigrated';
  }
}

/** Maximum number of indexes listed in a message. */
const MAX_NAMED = 5;

/** Compares the indexes of the database with the schema without changing anything. @throws NotMigrated, Unavailable */
export const checkMigrated = async (connection: Connection, { indexes, outdated = [] }: Schema): Promise<void> => {
  const wrong: string[] = [];
  for (const collection of new Set([...Object.keys(indexes), ...outdated.map((one) => one.collection)])) {
    const found = await withStore(() => orNothing(connection.collection(collection).indexes(), []));
    const names = new Set(found.map(({ name }) => name));
    for (const { name } of indexes[collection] ?? [])
      if (!names.has(name)) wrong.push(`no index ${collection}.${name}`);
    for (const one of outdated)
      if (one.collection === collection && names.has(one.name)) wrong.push(`outdated index ${collection}.${one.name}`);
  }
  if (wrong.length > MAX_NAMED) wrong.splice(MAX_NAMED, wrong.length, `and ${wrong.length - MAX_NAMED} more`);
  if (wrong.length > 0) throw new NotMigrated(connection.name, wrong);
};
