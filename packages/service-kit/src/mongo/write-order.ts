import { KeyedMutex } from '../batching';

const turns = new KeyedMutex();

/**
 * Serializes this process's writes of one value of a unique index. A MongoDB on PostgreSQL (FerretDB with DocumentDB)
 * inserts first and then waits for concurrent inserts of the same value, which in turn wait for it: of twelve at once,
 * a deadlock check frees one a second while each holds a connection.
 * @param value with the name of its collection
 */
export const oneByOne = <Result>(value: string, write: () => Promise<Result>): Promise<Result> =>
  turns.take(value, write);

/**
 * Sorts the rows of a bulk write by key. A MongoDB on PostgreSQL (FerretDB with DocumentDB) applies a bulk in one
 * transaction and locks row by row: two bulks with the same rows in different orders deadlock, and its deadlock check
 * frees one row a second. In a common order the later bulk only waits for the earlier one.
 * @param keyOf the key that rows of different bulks may share: their id, or another unique key
 */
export const inKeyOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row);
