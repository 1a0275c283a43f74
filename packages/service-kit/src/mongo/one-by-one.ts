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
