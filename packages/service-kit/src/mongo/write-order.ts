import { KeyedMutex } from '../batching';

const turns = new KeyedMutex();

/**
 * Writes for one value of a unique index one after the other, as far as this process makes them. A MongoDB on
 * PostgreSQL (FerretDB with DocumentDB) inserts first and then waits for all others that insert the same value, who
 * wait for it: of twelve at once, a deadlock check lets one go a second, while each holds a connection.
 * @param value with the name of its collection
 */
export const oneByOne = <Result>(value: string, write: () => Promise<Result>): Promise<Result> =>
  turns.take(value, write);

/**
 * The rows of one bulk in the order of their keys. A MongoDB on PostgreSQL (FerretDB with DocumentDB) applies a bulk in
 * one transaction and locks row by row: two bulks with the same rows in different orders lock each other out, and its
 * deadlock check lets one row of them go a second. In one order the later bulk only waits for the earlier one.
 * @param keyOf what rows of different bulks may have in common: their id, or another unique key
 */
export const inKeyOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row);
