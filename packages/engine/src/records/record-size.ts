import type { NodeRunRecord } from './run-record';

/** Bytes of records as JSON, by record: known since they were written or read. */
const SIZES = new WeakMap<NodeRunRecord, number>();

/** Remembers the size of the JSON of a record. */
export const noteSize = (record: NodeRunRecord, bytes: number): void => {
  SIZES.set(record, bytes);
};

/** Bytes of records as JSON, as far as they are known. */
export const sizeOf = (records: readonly NodeRunRecord[]): number =>
  records.reduce((sum, record) => sum + (SIZES.get(record) ?? 0), 0);
